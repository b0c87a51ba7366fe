/** Tests of what changes of resources lead to. */
@NullMarked
package dev.stowage.backend.vsc.central.resource;

import org.jspecify.annotations.NullMarked;
