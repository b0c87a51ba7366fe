/**
 * Stages and publishes volumes on a node, whatever storage brings their block devices: formats only what is provably blank, mounts,
 * remembers what it did in records that survive a restart, and tells what is wrong.
 */
@NullMarked
package dev.stowage.node;

import org.jspecify.annotations.NullMarked;
