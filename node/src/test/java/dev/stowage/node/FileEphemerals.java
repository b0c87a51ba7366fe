package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.effect.Effects;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;

/** Ephemeral volumes that are files. */
final class FileEphemerals implements EphemeralVolumes {

    private final FileDevices devices;

    FileEphemerals(FileDevices devices) {
        this.devices = devices;
    }

    @Override
    public boolean owns(VolumeId volume) {
        return volume.value().startsWith("csi-") && Files.exists(devices.file(volume));
    }

    @Override
    public void create(VolumeId volume, Map<String, String> context) {
        var size = context.get("size");
        if (size == null) {
            throw StowageException.invalid("volume %s: size is missing", volume);
        }
        try {
            Effects.run("create", volume.value(), () -> {
                try (var file = new RandomAccessFile(devices.file(volume).toFile(), "rw")) {
                    file.setLength(Sizes.parse("size", size));
                }
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void delete(VolumeId volume) {
        try {
            Effects.run("delete", volume.value(), () -> Files.deleteIfExists(devices.file(volume)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
