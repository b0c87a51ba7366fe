/** Tests of where the bytes of volumes are kept. */
@NullMarked
package dev.stowage.array.store;

import org.jspecify.annotations.NullMarked;
