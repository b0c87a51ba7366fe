/** The definitions of the resources of arrays, made from their types, and what is read of them. */
@NullMarked
package dev.stowage.kube.vsc;

import org.jspecify.annotations.NullMarked;
