/** What the driver says about the health of volumes and storage, while the causes come and go. */
@NullMarked
package dev.stowage.conformance.health;

import org.jspecify.annotations.NullMarked;
