/** Tests of a node with a real array. */
@NullMarked
package dev.stowage.backend.vsc.node;

import org.jspecify.annotations.NullMarked;
