/** Secrets at rest and on their way, and that nobody else reads them. */
@NullMarked
package dev.stowage.backend.vsc.secret;

import org.jspecify.annotations.NullMarked;
