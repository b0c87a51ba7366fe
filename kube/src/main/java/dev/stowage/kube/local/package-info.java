/**
 * The custom resources through which one controller asks the nodes for volumes: group {@code local.stowage.dev}.
 *
 * <p>A spec is an order that the controller gives to one node, a status is what the node made of it. The controller alone writes specs,
 * the node alone writes statuses, except for the conditions, which the controller writes. A finalizer says that the node's pool may
 * hold something for the order; the node takes it away when nothing is left.
 *
 * <p>Drivers of several names may share a cluster. A label says which of them a resource belongs to.
 *
 * <p>Orders are numbered: each wish has a higher {@code attempt} than the one before, and the status repeats the attempt that it
 * answers. So an answer is never taken for that of another wish, and a wish that failed is tried again by giving it a new number.
 */
@NullMarked
package dev.stowage.kube.local;

import org.jspecify.annotations.NullMarked;
