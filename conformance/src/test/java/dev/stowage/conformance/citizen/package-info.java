/** How the driver behaves as a process of a node: registration, health, metrics, sockets, signals, logs and options. */
@NullMarked
package dev.stowage.conformance.citizen;

import org.jspecify.annotations.NullMarked;
