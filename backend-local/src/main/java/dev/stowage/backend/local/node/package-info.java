/** The pool's volumes as devices of this node. */
@NullMarked
package dev.stowage.backend.local.node;

import org.jspecify.annotations.NullMarked;
