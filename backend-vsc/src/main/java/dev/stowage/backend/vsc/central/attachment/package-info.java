/** Which node may use which volume, and how one that is lost is kept from it. */
@NullMarked
package dev.stowage.backend.vsc.central.attachment;

import org.jspecify.annotations.NullMarked;
