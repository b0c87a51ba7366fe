/** Programs run with an argument list, a time limit and bounded output; never a shell. */
@NullMarked
package dev.stowage.linux.command;

import org.jspecify.annotations.NullMarked;
