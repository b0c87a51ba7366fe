/** CSI messages read into the model, with everything from outside checked, and the model written as CSI messages. */
@NullMarked
package dev.stowage.driver.message;

import org.jspecify.annotations.NullMarked;
