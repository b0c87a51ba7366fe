/** The array's API on the wire: requests in JSON or as forms, answers in one envelope. */
@NullMarked
package dev.stowage.array.rest;

import org.jspecify.annotations.NullMarked;
