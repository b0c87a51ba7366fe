/** {@code stowage bench arrays}: the controller of arrays with many arrays, volumes and nodes, measured against itself. */
@NullMarked
package dev.stowage.cli.bench.arrays;

import org.jspecify.annotations.NullMarked;
