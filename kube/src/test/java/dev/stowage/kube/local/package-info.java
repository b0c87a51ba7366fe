/** The definitions of our resources, made from their types. */
@NullMarked
package dev.stowage.kube.local;

import org.jspecify.annotations.NullMarked;
