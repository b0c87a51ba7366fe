/** Volumes and snapshots on arrays, from the wish to the end. */
@NullMarked
package dev.stowage.backend.vsc.central.volume;

import org.jspecify.annotations.NullMarked;
