/** Brings the arrays' volumes to a node: what an attachment tells becomes a block device, which {@code dev.stowage.node} does the rest with. */
@NullMarked
package dev.stowage.backend.vsc.node;

import org.jspecify.annotations.NullMarked;
