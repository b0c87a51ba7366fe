/** Liveness, readiness, metrics and the log level over HTTP. */
@NullMarked
package dev.stowage.driver.http;

import org.jspecify.annotations.NullMarked;
