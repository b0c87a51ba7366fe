/** Benchmarks at sizes that say nothing about speed, to see that they run through and leave nothing behind. */
@NullMarked
package dev.stowage.conformance.bench;

import org.jspecify.annotations.NullMarked;
