/** Tests of what is made of a deployment. */
@NullMarked
package dev.stowage.manager.driver;

import org.jspecify.annotations.NullMarked;
