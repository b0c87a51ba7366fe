/** Loop devices: files that appear as block devices. */
@NullMarked
package dev.stowage.linux.loop;

import org.jspecify.annotations.NullMarked;
