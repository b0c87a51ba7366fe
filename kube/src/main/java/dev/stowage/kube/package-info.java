/** What the roles that talk to Kubernetes share: clients, caches of what the API server holds, and the election of a leader. */
@NullMarked
package dev.stowage.kube;

import org.jspecify.annotations.NullMarked;
