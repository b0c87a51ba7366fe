/** Snapshots, clones, groups and changed blocks of volumes in use. */
@NullMarked
package dev.stowage.conformance.snapshot;

import org.jspecify.annotations.NullMarked;
