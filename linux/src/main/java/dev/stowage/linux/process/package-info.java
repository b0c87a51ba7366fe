/** This process: who it is, and how it ends itself in a crash test. */
@NullMarked
package dev.stowage.linux.process;

import org.jspecify.annotations.NullMarked;
