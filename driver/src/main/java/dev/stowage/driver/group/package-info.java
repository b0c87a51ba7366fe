/** The CSI GroupController service: snapshots of several volumes at one instant. */
@NullMarked
package dev.stowage.driver.group;

import org.jspecify.annotations.NullMarked;
