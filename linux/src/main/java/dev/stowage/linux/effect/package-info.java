/** The one gate through which every change to the machine passes, so that a test can stop the process between any two. */
@NullMarked
package dev.stowage.linux.effect;

import org.jspecify.annotations.NullMarked;
