/** Which array a new volume goes to. */
@NullMarked
package dev.stowage.backend.vsc.central.placement;

import org.jspecify.annotations.NullMarked;
