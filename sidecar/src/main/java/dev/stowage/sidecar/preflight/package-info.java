/** What the node of a driver has or lacks, as its /proc shows it to whoever has it mounted. Nothing is changed or run. */
@NullMarked
package dev.stowage.sidecar.preflight;

import org.jspecify.annotations.NullMarked;
