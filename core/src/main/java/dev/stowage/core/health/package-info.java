/** What is wrong with a volume or with the storage below it. */
@NullMarked
package dev.stowage.core.health;

import org.jspecify.annotations.NullMarked;
