/** The workbench: what developers run beside the program and users never get. Commands and their options. */
@NullMarked
package dev.stowage.workbench;

import org.jspecify.annotations.NullMarked;
