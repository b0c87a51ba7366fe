/** Tests of the measuring itself. */
@NullMarked
package dev.stowage.cli.bench;

import org.jspecify.annotations.NullMarked;
