/** A CSI client for people's commands and for tests: the same calls an orchestrator makes, with less ceremony. */
@NullMarked
package dev.stowage.cli.client;

import org.jspecify.annotations.NullMarked;
