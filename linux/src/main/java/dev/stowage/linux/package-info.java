/** What a Linux node can do: system calls where a call is enough, a command where it is not. */
@NullMarked
package dev.stowage.linux;

import org.jspecify.annotations.NullMarked;
