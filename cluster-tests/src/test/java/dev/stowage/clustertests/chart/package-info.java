/** What the chart makes of its values. */
@NullMarked
package dev.stowage.clustertests.chart;

import org.jspecify.annotations.NullMarked;
