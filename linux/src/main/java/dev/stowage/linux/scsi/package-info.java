/** SCSI devices of this machine: what they tell of themselves, and how they come and go. */
@NullMarked
package dev.stowage.linux.scsi;

import org.jspecify.annotations.NullMarked;
