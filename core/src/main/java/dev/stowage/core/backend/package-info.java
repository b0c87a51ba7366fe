/** What a kind of storage offers. A backend leaves out what it cannot do, and nothing is declared for it. */
@NullMarked
package dev.stowage.core.backend;

import org.jspecify.annotations.NullMarked;
