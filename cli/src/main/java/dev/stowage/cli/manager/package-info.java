/** The command that runs a manager of drivers. */
@NullMarked
package dev.stowage.cli.manager;

import org.jspecify.annotations.NullMarked;
