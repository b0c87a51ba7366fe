/** Programs that are run to their end, and daemons that outlive the process that started them. */
@NullMarked
package dev.stowage.workbench.process;

import org.jspecify.annotations.NullMarked;
