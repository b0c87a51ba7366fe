/** The official storage tests of Kubernetes, run against the driver in a test cluster and compared with what is expected of them. */
@NullMarked
package dev.stowage.workbench.e2e;

import org.jspecify.annotations.NullMarked;
