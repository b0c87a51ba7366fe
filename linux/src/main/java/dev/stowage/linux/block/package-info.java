/** What can be asked of and told to any block device. */
@NullMarked
package dev.stowage.linux.block;

import org.jspecify.annotations.NullMarked;
