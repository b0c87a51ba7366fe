/** One operation at a time for each volume, and no waiting between volumes. */
@NullMarked
package dev.stowage.core.lane;

import org.jspecify.annotations.NullMarked;
