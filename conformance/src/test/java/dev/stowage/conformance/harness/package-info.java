/** What the tests stand on: a workspace on the real machine, a real driver process in it, and a client of its socket. */
@NullMarked
package dev.stowage.conformance.harness;

import org.jspecify.annotations.NullMarked;
