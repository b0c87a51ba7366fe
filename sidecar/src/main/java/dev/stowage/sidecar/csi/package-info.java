/** A sidecar's side of the connection to a driver. */
@NullMarked
package dev.stowage.sidecar.csi;

import org.jspecify.annotations.NullMarked;
