/**
 * Volumes from many arrays behind one class, by the resources of {@code storage.zadara.com}.
 *
 * <p>The controller's side ({@code central}) keeps resources and arrays in step. A resource is written before an array is asked for
 * anything, so that after any crash the resources tell what there may be. The node's side ({@code node}) brings volumes to a node.
 */
@NullMarked
package dev.stowage.backend.vsc;

import org.jspecify.annotations.NullMarked;
