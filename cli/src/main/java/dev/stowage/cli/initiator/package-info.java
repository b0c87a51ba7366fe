/** The role that serves a machine's drivers with units of iSCSI targets where the kernel has no initiator. */
@NullMarked
package dev.stowage.cli.initiator;

import org.jspecify.annotations.NullMarked;
