/** How the definitions of our resources are made from their types. */
@NullMarked
package dev.stowage.kube;

import org.jspecify.annotations.NullMarked;
