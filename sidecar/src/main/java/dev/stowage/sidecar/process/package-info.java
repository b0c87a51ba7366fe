/** How a sidecar's process ends. */
@NullMarked
package dev.stowage.sidecar.process;

import org.jspecify.annotations.NullMarked;
