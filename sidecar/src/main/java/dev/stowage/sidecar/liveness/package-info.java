/** Asks a driver whether it is well, for a kubelet that only speaks HTTP. */
@NullMarked
package dev.stowage.sidecar.liveness;

import org.jspecify.annotations.NullMarked;
