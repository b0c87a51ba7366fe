package dev.stowage.sidecar.attacher;

import csi.v1.VolumeCapability;
import dev.stowage.core.error.StowageException;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpec;
import io.fabric8.kubernetes.api.model.SecretReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A volume that a VolumeAttachment is about.
 *
 * @param where for people, such as {@code PersistentVolume pvc-1}
 * @param secret where the secrets for attaching it are
 */
record WantedVolume(String where, PersistentVolumeSpec spec, String handle, Optional<SecretReference> secret) {

    static WantedVolume of(String where, PersistentVolumeSpec spec, String driver) {
        var source = spec.getCsi();
        if (source == null) {
            throw StowageException.invalid("%s is not a CSI volume, so that %s cannot attach it", where, driver);
        }
        if (!driver.equals(source.getDriver())) {
            throw StowageException.invalid(
                    "%s belongs to the driver %s, so that %s cannot attach it", where, source.getDriver(), driver);
        }
        return new WantedVolume(
                where, spec, source.getVolumeHandle(), Optional.ofNullable(source.getControllerPublishSecretRef()));
    }

    boolean readOnly() {
        return Boolean.TRUE.equals(spec.getCsi().getReadOnly());
    }

    Map<String, String> attributes() {
        return Objects.requireNonNullElse(spec.getCsi().getVolumeAttributes(), Map.of());
    }

    VolumeCapability capability(boolean distinguishesWriters, String defaultFilesystem) {
        var capability = VolumeCapability.newBuilder();
        if ("Block".equals(spec.getVolumeMode())) {
            capability.setBlock(VolumeCapability.BlockVolume.getDefaultInstance());
        } else {
            String filesystem = Objects.requireNonNullElse(spec.getCsi().getFsType(), "");
            capability.setMount(VolumeCapability.MountVolume.newBuilder()
                    .setFsType(filesystem.isEmpty() ? defaultFilesystem : filesystem)
                    .addAllMountFlags(Objects.requireNonNullElse(spec.getMountOptions(), List.of())));
        }
        var modes = Objects.requireNonNullElse(spec.getAccessModes(), List.<String>of());
        return capability
                .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                        .setMode(AccessModes.toCsi(modes, distinguishesWriters)))
                .build();
    }
}
