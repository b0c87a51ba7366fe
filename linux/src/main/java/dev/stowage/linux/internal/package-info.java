/** The raw system calls. Not for use outside this module. */
@NullMarked
package dev.stowage.linux.internal;

import org.jspecify.annotations.NullMarked;
