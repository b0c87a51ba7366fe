/** Attacks through every field of every request, and through the filesystem below: nothing outside may be touched, nothing may leak. */
@NullMarked
package dev.stowage.conformance.hostile;

import org.jspecify.annotations.NullMarked;
