/** A small durable map on disk: what must be remembered across a crash. */
@NullMarked
package dev.stowage.linux.record;

import org.jspecify.annotations.NullMarked;
