/** What an operation may know about the call that it serves. */
@NullMarked
package dev.stowage.core.call;

import org.jspecify.annotations.NullMarked;
