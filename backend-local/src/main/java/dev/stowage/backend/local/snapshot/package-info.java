/** Snapshots, groups of them, and what changed between two. */
@NullMarked
package dev.stowage.backend.local.snapshot;

import org.jspecify.annotations.NullMarked;
