/** The CSI Identity service: who this driver is and what it can do. */
@NullMarked
package dev.stowage.driver.identity;

import org.jspecify.annotations.NullMarked;
