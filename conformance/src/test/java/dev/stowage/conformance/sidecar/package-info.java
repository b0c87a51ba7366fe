/** The sidecars, as processes of their own, beside our driver and the reference driver, before a real API server. */
@NullMarked
package dev.stowage.conformance.sidecar;

import org.jspecify.annotations.NullMarked;
