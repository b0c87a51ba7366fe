/** The resource by which drivers are deployed: that of OpenShift's csi-operator, so that its users' manifests apply unchanged. */
@NullMarked
package dev.stowage.kube.csidriver;

import org.jspecify.annotations.NullMarked;
