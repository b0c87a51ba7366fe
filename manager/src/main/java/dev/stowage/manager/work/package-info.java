/** Working on objects one by one, for as long as this process leads. */
@NullMarked
package dev.stowage.manager.work;

import org.jspecify.annotations.NullMarked;
