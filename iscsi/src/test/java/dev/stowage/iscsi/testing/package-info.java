/** Real targets to log in to. */
@NullMarked
package dev.stowage.iscsi.testing;

import org.jspecify.annotations.NullMarked;
