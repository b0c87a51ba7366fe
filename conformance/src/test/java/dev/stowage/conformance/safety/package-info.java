/** The rules that keep data safe, each shown by what would happen without it. */
@NullMarked
package dev.stowage.conformance.safety;

import org.jspecify.annotations.NullMarked;
