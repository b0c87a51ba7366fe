/** Giving a whole tree to a group, quickly. */
@NullMarked
package dev.stowage.linux.ownership;

import org.jspecify.annotations.NullMarked;
