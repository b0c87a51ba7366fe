/** Tests of the commands. */
@NullMarked
package dev.stowage.cli;

import org.jspecify.annotations.NullMarked;
