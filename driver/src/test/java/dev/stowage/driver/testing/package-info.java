/** A backend in memory and a driver around it, for the tests of this module. */
@NullMarked
package dev.stowage.driver.testing;

import org.jspecify.annotations.NullMarked;
