/** The arrays: how they join, how they are, and how they are asked. */
@NullMarked
package dev.stowage.backend.vsc.central.member;

import org.jspecify.annotations.NullMarked;
