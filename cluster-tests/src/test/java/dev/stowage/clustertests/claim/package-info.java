/** From claim to pod: Stowage in a real Kubernetes, installed with its image and its chart. */
@NullMarked
package dev.stowage.clustertests.claim;

import org.jspecify.annotations.NullMarked;
