/** Stowage in a test cluster, installed the way a user would: with the image and the chart. */
@NullMarked
package dev.stowage.workbench.install;

import org.jspecify.annotations.NullMarked;
