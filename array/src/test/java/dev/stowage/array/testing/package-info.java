/** What tests of the array need: an array with a client and initiators that are not ours. */
@NullMarked
package dev.stowage.array.testing;

import org.jspecify.annotations.NullMarked;
