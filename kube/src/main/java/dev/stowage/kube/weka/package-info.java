/** The resources of clusters that are used through a client on each node. */
@NullMarked
package dev.stowage.kube.weka;

import org.jspecify.annotations.NullMarked;
