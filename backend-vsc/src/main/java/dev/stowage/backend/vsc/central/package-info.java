/** The controller of many arrays. */
@NullMarked
package dev.stowage.backend.vsc.central;

import org.jspecify.annotations.NullMarked;
