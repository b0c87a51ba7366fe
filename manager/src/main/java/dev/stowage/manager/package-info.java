/** Deploys drivers and keeps them as they are wanted. */
@NullMarked
package dev.stowage.manager;

import org.jspecify.annotations.NullMarked;
