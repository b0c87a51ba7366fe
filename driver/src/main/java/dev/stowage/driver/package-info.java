/** A driver process put together: the CSI services in front of a backend, health and metrics, and the kubelet registration. */
@NullMarked
package dev.stowage.driver;

import org.jspecify.annotations.NullMarked;
