/** Where the bytes of volumes and snapshots are. */
@NullMarked
package dev.stowage.array.store;

import org.jspecify.annotations.NullMarked;
