/** What the manager knows of nodes. */
@NullMarked
package dev.stowage.manager;

import org.jspecify.annotations.NullMarked;
