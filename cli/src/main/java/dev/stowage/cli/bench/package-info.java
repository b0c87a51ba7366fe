/** {@code stowage bench}: our driver and the reference driver, driven by one client in one run, and what that cost. */
@NullMarked
package dev.stowage.cli.bench;

import org.jspecify.annotations.NullMarked;
