/** Log lines that people and machines can read, one line for each event whatever it holds. */
@NullMarked
package dev.stowage.driver.log;

import org.jspecify.annotations.NullMarked;
