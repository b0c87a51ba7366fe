/** Identifiers as types that cannot hold a path, an option or a line break. */
@NullMarked
package dev.stowage.core.id;

import org.jspecify.annotations.NullMarked;
