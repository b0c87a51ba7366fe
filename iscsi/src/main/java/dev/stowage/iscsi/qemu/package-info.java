/**
 * An initiator for machines whose kernel has none: QEMU's storage daemon logs in and offers the unit as a file, and a loop device makes
 * a block device of the file.
 *
 * <p>Each unit has a process of its own. A process that waits for a lost target cannot be told to give up, and what waits in it would be
 * written whenever the target comes back, be the volume in other hands by then. Ending the process is what ends that for certain, and no
 * other unit notices.
 *
 * <p>The processes belong to {@link dev.stowage.iscsi.qemu.InitiatorServer}, which runs apart from the driver, so that I/O goes on while
 * the driver is restarted. Driver and server share a directory, in which the server listens on a socket and the units appear as files.
 */
@NullMarked
package dev.stowage.iscsi.qemu;

import org.jspecify.annotations.NullMarked;
