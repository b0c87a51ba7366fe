package dev.stowage.iscsi;

import java.nio.file.Path;

/**
 * A unit that is a device here.
 *
 * @param serial the serial number that the unit itself told
 */
public record Attached(UnitAddress address, String serial, Path device, int major, int minor) {}
