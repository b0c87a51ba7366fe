/** What is on a block device, and making, growing, freezing and measuring filesystems. */
@NullMarked
package dev.stowage.linux.filesystem;

import org.jspecify.annotations.NullMarked;
