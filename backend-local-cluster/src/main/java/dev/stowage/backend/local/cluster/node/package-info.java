/** The process on a node: it has the pool, fulfils the orders that name the node, and tells how it is. */
@NullMarked
package dev.stowage.backend.local.cluster.node;

import org.jspecify.annotations.NullMarked;
