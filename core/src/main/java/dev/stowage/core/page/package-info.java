/** Paged listings whose tokens stay valid while things come and go. */
@NullMarked
package dev.stowage.core.page;

import org.jspecify.annotations.NullMarked;
