/** Volumes in the pool: made, attached, grown, changed, looked after. */
@NullMarked
package dev.stowage.backend.local.volume;

import org.jspecify.annotations.NullMarked;
