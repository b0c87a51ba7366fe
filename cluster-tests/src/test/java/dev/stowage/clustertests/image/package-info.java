/** Tests of the container image: what is in it, that it comes out the same, and that the program works with nothing but it. */
@NullMarked
package dev.stowage.clustertests.image;

import org.jspecify.annotations.NullMarked;
