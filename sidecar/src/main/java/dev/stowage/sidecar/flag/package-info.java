/** Command line flags as Go programs take them, so that a manifest need not change. */
@NullMarked
package dev.stowage.sidecar.flag;

import org.jspecify.annotations.NullMarked;
