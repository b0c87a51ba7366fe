/** Files and directories held by descriptor, so that a name cannot lead elsewhere between check and use. */
@NullMarked
package dev.stowage.linux.file;

import org.jspecify.annotations.NullMarked;
