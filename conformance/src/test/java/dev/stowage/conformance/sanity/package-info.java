/** The official test suite of CSI, run against the real driver in every way that switches some of its specs on. */
@NullMarked
package dev.stowage.conformance.sanity;

import org.jspecify.annotations.NullMarked;
