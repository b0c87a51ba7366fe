/** Telling what is going on while it goes on. */
@NullMarked
package dev.stowage.workbench.story;

import org.jspecify.annotations.NullMarked;
