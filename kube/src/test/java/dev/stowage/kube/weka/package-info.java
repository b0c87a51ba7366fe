/** The definitions of the resources of clients, held against their types. */
@NullMarked
package dev.stowage.kube.weka;

import org.jspecify.annotations.NullMarked;
