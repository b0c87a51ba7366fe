/** How a process of ours reaches the Kubernetes API. */
@NullMarked
package dev.stowage.kube.client;

import org.jspecify.annotations.NullMarked;
