/** Mounting, unmounting and knowing what is mounted where. */
@NullMarked
package dev.stowage.linux.mount;

import org.jspecify.annotations.NullMarked;
