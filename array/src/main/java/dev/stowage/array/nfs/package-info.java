/** The NFS server that serves shared volumes to clients, and keeps others away from them. */
@NullMarked
package dev.stowage.array.nfs;

import org.jspecify.annotations.NullMarked;
