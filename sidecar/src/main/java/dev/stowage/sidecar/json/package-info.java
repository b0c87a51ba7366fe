/** The little JSON that sidecars write, without a library that every node would have to load. */
@NullMarked
package dev.stowage.sidecar.json;

import org.jspecify.annotations.NullMarked;
