/** The manager of drivers, against a real API server. */
@NullMarked
package dev.stowage.conformance.manager;

import org.jspecify.annotations.NullMarked;
