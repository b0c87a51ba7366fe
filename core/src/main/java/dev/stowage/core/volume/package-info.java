/** What is asked of a volume and what it is: sizes, uses, sources, topology. */
@NullMarked
package dev.stowage.core.volume;

import org.jspecify.annotations.NullMarked;
