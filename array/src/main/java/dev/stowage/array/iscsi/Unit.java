package dev.stowage.array.iscsi;

import java.nio.file.Path;

/**
 * A volume as a target offers it.
 *
 * @param identity tells the volume from every other on any array, whatever its number and whoever it is offered to
 */
public record Unit(int lun, Path path, String identity, boolean readOnly) {}
