package dev.stowage.backend.local.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.InvalidRequest;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.Sizes;
import dev.stowage.core.volume.VolumeUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeParametersTest {

    private static VolumeUse mounted(String filesystem) {
        return new VolumeUse(
                new VolumeUse.Mount(filesystem, List.of(), Optional.empty()), AccessMode.SINGLE_NODE_WRITER);
    }

    private static VolumeParameters parse(Map<String, String> parameters) {
        return VolumeParameters.parse(parameters, Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        "provisioning,fat",
        "readAheadKiB,-1",
        "readAheadKiB,65537",
        "readAheadKiB,many",
        "fsType,ntfs",
        "fsType,../ext4",
        "Provisioning,thin",
        "unknown,x"
    })
    void whatIsNotKnownOrNotPossibleIsRefused(String key, String value) {
        assertThatThrownBy(() -> parse(Map.of(key, value)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining(key.equals("fsType") ? "filesystem" : key);
    }

    @Test
    void keysOfOthersAreLeftAlone() {
        var parsed = parse(Map.of("csi.storage.k8s.io/pvc/name", "../x", "provisioning", "thick"));
        assertThat(parsed.thick()).isTrue();
        assertThat(parsed.fixed()).isEmpty();
    }

    @Test
    void anAttributesClassWinsOverTheStorageClass() {
        var parsed = VolumeParameters.parse(Map.of("provisioning", "thin"), Map.of("provisioning", "thick"));
        assertThat(parsed.thick()).isTrue();
        assertThatThrownBy(() -> VolumeParameters.parse(Map.of(), Map.of("fsType", "xfs")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("fsType");
    }

    @Test
    void aFilesystemIsChosenWhereNoneIsAskedFor() {
        var none = parse(Map.of());
        assertThat(none.context(List.of(mounted("")), Sizes.GIB, Map.of())).containsEntry("fsType", "xfs");
        assertThat(none.context(List.of(mounted("")), 100 * Sizes.MIB, Map.of()))
                .containsEntry("fsType", "ext4");
        assertThat(none.context(List.of(mounted("")), Sizes.GIB, Map.of("fsType", "btrfs")))
                .as("a copy has what its source has")
                .containsEntry("fsType", "btrfs");
        assertThat(none.context(List.of(mounted("ext4")), Sizes.GIB, Map.of())).isEmpty();
        assertThat(parse(Map.of("fsType", "ext4")).context(List.of(mounted("")), Sizes.GIB, Map.of()))
                .containsEntry("fsType", "ext4");
    }

    @Test
    void theSmallestSizeFitsEveryFilesystemThatMayBeAskedFor() {
        assertThat(parse(Map.of()).smallestSize(List.of(mounted("xfs"), mounted("ext4"))))
                .isEqualTo(300 * Sizes.MIB);
        assertThat(parse(Map.of("fsType", "btrfs")).smallestSize(List.of(mounted(""))))
                .isEqualTo(128 * Sizes.MIB);
        assertThat(parse(Map.of()).smallestSize(List.of())).isEqualTo(Sizes.MIB);
    }

    @Test
    void whatCanChangeIsNotInTheContext() {
        var parsed = parse(Map.of("readAheadKiB", "512", "mountOptions", "noatime"));
        assertThat(parsed.context(List.of(), Sizes.GIB, Map.of())).containsOnlyKeys("mountOptions");
        assertThat(VolumeParameters.attachmentContext(parsed.mutable())).containsEntry("readAheadKiB", "512");
    }

    @Test
    void snapshotsTakeNothingButWhatIsForKubernetes() {
        VolumeParameters.requireNone("a snapshot", Map.of("deletionPolicy", "Retain", "csi.storage.k8s.io/x", "y"));
        assertThatThrownBy(() -> VolumeParameters.requireNone("a snapshot", Map.of("speed", "high")))
                .hasMessageContaining("speed");
    }
}
