/** A client on a node brings a pod on that node. Whose client it is, and what the pod is for, is known elsewhere. */
@NullMarked
package dev.stowage.manager.beside;

import org.jspecify.annotations.NullMarked;
