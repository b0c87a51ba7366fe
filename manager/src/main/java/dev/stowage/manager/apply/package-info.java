/** Makes objects in the API server what they are to be, and tells who made them something else. */
@NullMarked
package dev.stowage.manager.apply;

import org.jspecify.annotations.NullMarked;
