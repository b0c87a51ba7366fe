/** The CSI Node service, one class for each call. */
@NullMarked
package dev.stowage.driver.node;

import org.jspecify.annotations.NullMarked;
