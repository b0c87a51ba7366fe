/** What is told to Prometheus, by value. */
@NullMarked
package dev.stowage.manager.metrics;

import org.jspecify.annotations.NullMarked;
