/** Brings units of iSCSI targets to this machine as block devices, with the kernel's initiator or without one. */
@NullMarked
package dev.stowage.iscsi;

import org.jspecify.annotations.NullMarked;
