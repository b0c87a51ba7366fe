/**
 * The local backend of a cluster: a pool on every node, and one controller for all of them.
 *
 * <p>The stock sidecars know one controller for a driver. This one has no storage; it orders what is asked of it from the node whose
 * pool is meant, through custom resources, and waits for the answer. The process on the node has the pool, with the controller's and
 * the node's side of the ordinary local backend in it, and fulfils the orders. Nothing of value is in the resources alone: what the
 * pool's records say is what there is.
 *
 * <p>A deletion is a wish like any other and not the deletion of the resource: it may be refused, and a refused deletion must leave a
 * volume as it was, which a resource that Kubernetes has marked as deleted can never be again.
 */
@NullMarked
package dev.stowage.backend.local.cluster;

import org.jspecify.annotations.NullMarked;
