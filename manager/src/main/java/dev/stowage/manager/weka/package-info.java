/**
 * Drivers that follow the clients of a storage cluster, with the vocabulary of WekaClient. What is made, how it is compared and where node
 * servers run is decided in the packages that every driver shares.
 */
@NullMarked
package dev.stowage.manager.weka;

import org.jspecify.annotations.NullMarked;
