/** The pool: where the files are, what is on record about them, and how much room there is. */
@NullMarked
package dev.stowage.backend.local.pool;

import org.jspecify.annotations.NullMarked;
