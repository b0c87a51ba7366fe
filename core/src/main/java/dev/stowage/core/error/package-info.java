/** The one family of errors that every layer speaks; one table per border turns it into gRPC codes or conditions. */
@NullMarked
package dev.stowage.core.error;

import org.jspecify.annotations.NullMarked;
