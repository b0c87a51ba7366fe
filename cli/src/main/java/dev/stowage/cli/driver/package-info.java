/** {@code stowage driver}: a CSI driver in front of one backend. */
@NullMarked
package dev.stowage.cli.driver;

import org.jspecify.annotations.NullMarked;
