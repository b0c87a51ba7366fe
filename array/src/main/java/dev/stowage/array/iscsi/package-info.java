/** The iSCSI target that serves volumes to initiators, and keeps others away from them. */
@NullMarked
package dev.stowage.array.iscsi;

import org.jspecify.annotations.NullMarked;
