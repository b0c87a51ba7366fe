/** The embedded backend: volumes are files in a pool, a directory or a disk of this machine. */
@NullMarked
package dev.stowage.backend.local;

import org.jspecify.annotations.NullMarked;
