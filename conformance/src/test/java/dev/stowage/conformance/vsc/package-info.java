/** Arrays in Kubernetes: the resources, as an API server takes and shows them. */
@NullMarked
package dev.stowage.conformance.vsc;

import org.jspecify.annotations.NullMarked;
