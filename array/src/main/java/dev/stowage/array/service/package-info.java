/** What the array does: each call of its API as an operation on what is on record, in the store and in the target. */
@NullMarked
package dev.stowage.array.service;

import org.jspecify.annotations.NullMarked;
