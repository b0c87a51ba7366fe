/** Tests of drivers that follow clients. */
@NullMarked
package dev.stowage.manager.weka;

import org.jspecify.annotations.NullMarked;
