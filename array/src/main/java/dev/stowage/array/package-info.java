/** A storage array: volumes in files, served over iSCSI, managed over REST. */
@NullMarked
package dev.stowage.array;

import org.jspecify.annotations.NullMarked;
