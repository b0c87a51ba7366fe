/** {@code stowage try}: the main job on an empty machine, told while it happens. */
@NullMarked
package dev.stowage.cli.tour;

import org.jspecify.annotations.NullMarked;
