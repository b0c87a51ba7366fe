/** The commands: what a person or a pod starts, and where the layers below are wired together. */
@NullMarked
package dev.stowage.cli;

import org.jspecify.annotations.NullMarked;
