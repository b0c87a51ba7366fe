/** What the array remembers, durable before it shows. */
@NullMarked
package dev.stowage.array.journal;

import org.jspecify.annotations.NullMarked;
