/** Container images made from files, without a daemon and without a registry. */
@NullMarked
package dev.stowage.workbench.image;

import org.jspecify.annotations.NullMarked;
