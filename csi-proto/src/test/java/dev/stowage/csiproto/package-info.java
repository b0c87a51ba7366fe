/** Holds our protocol files to the official ones. */
@NullMarked
package dev.stowage.csiproto;

import org.jspecify.annotations.NullMarked;
