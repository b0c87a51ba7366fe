/** Tests of how arrays are chosen and watched. */
@NullMarked
package dev.stowage.backend.vsc.central.member;

import org.jspecify.annotations.NullMarked;
