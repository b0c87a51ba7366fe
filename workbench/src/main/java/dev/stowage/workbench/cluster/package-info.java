/** A whole Kubernetes on one machine: control plane, nodes in namespaces of their own, and their orderly end. */
@NullMarked
package dev.stowage.workbench.cluster;

import org.jspecify.annotations.NullMarked;
