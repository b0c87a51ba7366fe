/** Pools of every kind and the volumes in them, against the real driver and kernel. */
@NullMarked
package dev.stowage.conformance.pool;

import org.jspecify.annotations.NullMarked;
