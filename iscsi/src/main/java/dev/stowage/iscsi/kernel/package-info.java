/** The kernel's own initiator, by way of open-iscsi, with multipath where a target has several portals. */
@NullMarked
package dev.stowage.iscsi.kernel;

import org.jspecify.annotations.NullMarked;
