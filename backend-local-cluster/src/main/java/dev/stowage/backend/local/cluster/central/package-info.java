/** The one controller: it has no storage and orders everything from the nodes. Several of them may run at the same time. */
@NullMarked
package dev.stowage.backend.local.cluster.central;

import org.jspecify.annotations.NullMarked;
