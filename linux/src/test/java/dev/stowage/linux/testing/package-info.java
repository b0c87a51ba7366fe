/** Real files, devices and filesystems for tests, all of which are gone when closed. */
@NullMarked
package dev.stowage.linux.testing;

import org.jspecify.annotations.NullMarked;
