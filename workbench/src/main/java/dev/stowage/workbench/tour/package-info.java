/** The main job in a Kubernetes, shown to somebody who sees it for the first time. */
@NullMarked
package dev.stowage.workbench.tour;

import org.jspecify.annotations.NullMarked;
