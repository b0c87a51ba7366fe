/** What happens around every call: its identity, its lanes, its log line, its figures, and the code that its failure becomes. */
@NullMarked
package dev.stowage.driver.call;

import org.jspecify.annotations.NullMarked;
