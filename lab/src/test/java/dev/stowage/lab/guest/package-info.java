/** What happens in the guest. */
@NullMarked
package dev.stowage.lab.guest;

import org.jspecify.annotations.NullMarked;
