/** How an array goes wrong on purpose, so that its clients can be tested. */
@NullMarked
package dev.stowage.array.misbehave;

import org.jspecify.annotations.NullMarked;
