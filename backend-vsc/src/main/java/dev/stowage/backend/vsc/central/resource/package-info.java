/** The resources of storage.zadara.com as they are in the API server: all that a controller remembers. */
@NullMarked
package dev.stowage.backend.vsc.central.resource;

import org.jspecify.annotations.NullMarked;
