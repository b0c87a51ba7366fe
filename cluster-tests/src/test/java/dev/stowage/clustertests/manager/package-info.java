/** Drivers, ours and others', deployed by the manager into a real cluster. */
@NullMarked
package dev.stowage.clustertests.manager;

import org.jspecify.annotations.NullMarked;
