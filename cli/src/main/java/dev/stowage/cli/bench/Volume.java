package dev.stowage.cli.bench;

import csi.v1.VolumeCapability;
import java.nio.file.Path;
import java.util.Map;

/**
 * A volume as its caller knows it.
 *
 * @param staging where it is staged
 * @param target where it is published
 * @param context what its creation answered
 * @param publishContext what its attachment answered
 */
record Volume(
        String id,
        VolumeCapability capability,
        Path staging,
        Path target,
        Map<String, String> context,
        Map<String, String> publishContext) {}
