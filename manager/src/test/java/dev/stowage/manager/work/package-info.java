/** What is worked on, and when. */
@NullMarked
package dev.stowage.manager.work;

import org.jspecify.annotations.NullMarked;
