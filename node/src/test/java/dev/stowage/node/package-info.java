/** Tests of the node's work against the real kernel, with files as volumes. */
@NullMarked
package dev.stowage.node;

import org.jspecify.annotations.NullMarked;
