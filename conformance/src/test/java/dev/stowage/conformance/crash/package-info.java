/**
 * The driver is killed between any two of its side effects, while it formats, while it recovers, and at random, and must come back as
 * if nothing had happened.
 */
@NullMarked
package dev.stowage.conformance.crash;

import org.jspecify.annotations.NullMarked;
