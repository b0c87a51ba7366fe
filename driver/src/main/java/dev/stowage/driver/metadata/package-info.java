/** The CSI SnapshotMetadata service: which blocks a snapshot holds and which changed between two. */
@NullMarked
package dev.stowage.driver.metadata;

import org.jspecify.annotations.NullMarked;
