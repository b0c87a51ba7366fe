/** The array's command. */
@NullMarked
package dev.stowage.cli.array;

import org.jspecify.annotations.NullMarked;
