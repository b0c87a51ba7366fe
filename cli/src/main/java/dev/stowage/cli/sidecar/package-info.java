/** {@code stowage sidecar}: the sidecars of any driver. */
@NullMarked
package dev.stowage.cli.sidecar;

import org.jspecify.annotations.NullMarked;
