/**
 * What arrays and initiators prove themselves with, at rest and on its way to a node.
 *
 * <p>At rest, in the resources, a secret is encrypted by {@link dev.stowage.backend.vsc.secret.Vault}. Its keys are a Kubernetes Secret
 * that is mounted into the controller's pod as files, and not read through the API: so the controller's account needs no right to read
 * any Secret, and the kubelet brings a changed key without a restart. The files are read anew at each use.
 *
 * <p>On its way to a node, in an attachment, which many may read, a secret is sealed by {@link dev.stowage.backend.vsc.secret.Sealing}
 * to the key that only this node has, {@link dev.stowage.backend.vsc.secret.NodeKey}.
 */
@NullMarked
package dev.stowage.backend.vsc.secret;

import org.jspecify.annotations.NullMarked;
