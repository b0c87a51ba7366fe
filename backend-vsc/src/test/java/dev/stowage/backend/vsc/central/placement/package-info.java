/** Tests of placement. */
@NullMarked
package dev.stowage.backend.vsc.central.placement;

import org.jspecify.annotations.NullMarked;
