/** How the driver makes itself known to the kubelet of its node. */
@NullMarked
package dev.stowage.driver.registration;

import org.jspecify.annotations.NullMarked;
