/** Made-up nodes, and this one. */
@NullMarked
package dev.stowage.sidecar.preflight;

import org.jspecify.annotations.NullMarked;
