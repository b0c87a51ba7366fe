/** What the manager tells Prometheus: how the deployments are, and what it did about them. */
@NullMarked
package dev.stowage.manager.metrics;

import org.jspecify.annotations.NullMarked;
