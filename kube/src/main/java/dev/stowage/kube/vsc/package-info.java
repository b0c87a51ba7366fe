/**
 * The custom resources of Zadara's VSC, group {@code storage.zadara.com}: many arrays behind one class.
 *
 * <p>Kinds, fields, states and columns are spelled as its users know them, and what they wrote for it applies unchanged. Beyond the
 * original are the {@code message} in each status, {@code lastSync} of a VPSA and the {@code source} of a Volume. A status may be
 * written before all of it is known: the original's required ids are always there, and empty until the array told them. A state that
 * is not known here reads as none.
 */
@NullMarked
package dev.stowage.kube.vsc;

import org.jspecify.annotations.NullMarked;
