package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.backend.NodeVolumes.Stage;
import dev.stowage.core.error.StowageException.AlreadyExists;
import dev.stowage.core.error.StowageException.InvalidRequest;
import dev.stowage.core.error.StowageException.NotFound;
import dev.stowage.core.error.StowageException.NotPossible;
import dev.stowage.core.error.StowageException.Unavailable;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.linux.mount.MountPoint;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.node.record.FilesystemRecord;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StageFilesystemTest {

    private final TestNode node = new TestNode();

    @AfterEach
    void takeAway() {
        node.close();
    }

    private Path staging(VolumeId volume) {
        return TestNode.path(node.stagingPath(volume));
    }

    private MountPoint mount(VolumeId volume) {
        return Mounts.at(staging(volume)).orElseThrow();
    }

    private FilesystemRecord filesystem(VolumeId volume) {
        return node.records.filesystem(volume).orElseThrow();
    }

    private void overwrite(VolumeId volume, long offset, String text) throws IOException {
        try (var file = new RandomAccessFile(node.devices.file(volume).toFile(), "rw")) {
            file.seek(offset);
            file.write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void assertNothingLeft() {
        assertThat(node.mounts()).isEmpty();
        assertThat(node.loops()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aBlankVolumeIsFormattedOnceAndItsDataSurvivesUnstaging(FilesystemType type) throws IOException {
        var volume = node.volume("v1", type);
        node.stage(volume, TestNode.filesystem(type));
        assertThat(mount(volume).type()).isEqualTo(type.mountName());
        var uuid = filesystem(volume).getUuid();
        Files.writeString(staging(volume).resolve("file"), "kept");

        node.stage(volume, TestNode.filesystem(type));
        assertThat(node.mounts()).hasSize(1);
        node.unstage(volume);
        assertNothingLeft();
        node.crashAndRestart();
        node.stage(volume, TestNode.filesystem(type));

        assertThat(Files.readString(staging(volume).resolve("file"))).isEqualTo("kept");
        assertThat(filesystem(volume).getUuid()).isEqualTo(uuid);
        assertThat(filesystem(volume).getState()).isEqualTo(FilesystemRecord.State.PRESENT);
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aCloneIsAdoptedAndCanBeMountedBesideItsSource(FilesystemType type) throws IOException {
        var source = node.volume("source", type);
        node.stage(source, TestNode.filesystem(type));
        Files.writeString(staging(source).resolve("file"), "same");
        node.unstage(source);
        var clone = node.copy(source, "clone");
        node.stage(source, TestNode.filesystem(type));
        node.stage(clone, TestNode.filesystem(type));

        Files.writeString(staging(source).resolve("file"), "changed");
        assertThat(Files.readString(staging(clone).resolve("file"))).isEqualTo("same");
        assertThat(mount(clone).source()).isNotEqualTo(mount(source).source());
        if (type == FilesystemType.BTRFS) {
            assertThat(filesystem(clone).getUuid())
                    .isNotEqualTo(filesystem(source).getUuid());
        }
        node.unstage(clone);
        node.stage(clone, TestNode.filesystem(type));
        assertThat(Files.readString(staging(clone).resolve("file"))).isEqualTo("same");
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aVolumeThatGrewWhileItWasNotStagedIsFilled(FilesystemType type) throws IOException {
        var volume = node.volume("v1", type);
        node.stage(volume, TestNode.filesystem(type));
        Files.writeString(staging(volume).resolve("file"), "kept");
        node.unstage(volume);
        long larger = 2 * TestNode.size(type);
        node.resizeFile(volume, larger);
        var before = mountedSize(volume, type);
        assertThat(before).isGreaterThan(larger * 8 / 10);
        assertThat(filesystem(volume).getSizeBytes()).isEqualTo(larger);
    }

    private long mountedSize(VolumeId volume, FilesystemType type) {
        node.stage(volume, TestNode.filesystem(type));
        return Filesystems.usage(staging(volume)).totalBytes();
    }

    @Test
    void aCloneInALargerVolumeIsFilled() {
        var source = node.volume("source", FilesystemType.EXT4);
        node.stage(source, TestNode.EXT4);
        node.unstage(source);
        var clone = node.copy(source, "clone");
        node.resizeFile(clone, 200 * Sizes.MIB);
        assertThat(mountedSize(clone, FilesystemType.EXT4)).isGreaterThan(150 * Sizes.MIB);
    }

    @Test
    void theTypeComesFromTheCapabilityThenTheContextThenTheDefault() {
        var byContext = node.volume("v1", FilesystemType.XFS);
        node.stage(byContext, TestNode.filesystem(""), Map.of("fsType", "xfs"));
        assertThat(mount(byContext).type()).isEqualTo("xfs");
        var byCapability = node.volume("v2", FilesystemType.EXT4);
        node.stage(byCapability, TestNode.filesystem("ext4"), Map.of("fsType", "xfs"));
        assertThat(mount(byCapability).type()).isEqualTo("ext4");
        var byDefault = node.volume("v3", FilesystemType.EXT4);
        node.stage(byDefault, TestNode.filesystem(""));
        assertThat(mount(byDefault).type()).isEqualTo("ext4");
    }

    @Test
    void whoeverNamesNoTypeGetsTheOneThatTheVolumeHas() {
        var volume = node.volume("v1", FilesystemType.XFS);
        node.stage(volume, TestNode.filesystem(""), Map.of("fsType", "xfs"));
        node.unstage(volume);
        node.stage(volume, TestNode.filesystem(""));
        assertThat(mount(volume).type()).isEqualTo("xfs");
    }

    @Test
    void optionsOfContextAndCapabilityReachTheKernel() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(
                volume,
                TestNode.filesystem("ext4", AccessMode.SINGLE_NODE_WRITER, "noatime", "commit=7"),
                Map.of("mountOptions", "discard,nosuid", "mkfsOptions", "-m 0 -I 512"));
        assertThat(mount(volume).options()).contains("noatime", "nosuid", "rw");
        assertThat(mount(volume).superOptions()).contains("discard", "commit=7", "errors=remount-ro");
    }

    @Test
    void aRepeatWithAnotherWishIsRefused() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.EXT4);
        for (var other : new dev.stowage.core.volume.VolumeUse[] {
            TestNode.filesystem("xfs"),
            TestNode.filesystem("ext4", AccessMode.SINGLE_NODE_READER_ONLY),
            TestNode.filesystem("ext4", AccessMode.SINGLE_NODE_MULTI_WRITER),
            TestNode.filesystem("ext4", AccessMode.SINGLE_NODE_WRITER, "noatime"),
            TestNode.BLOCK,
        }) {
            assertThatThrownBy(() -> node.stage(volume, other)).isInstanceOf(AlreadyExists.class);
        }
        assertThat(node.mounts()).hasSize(1);
    }

    @Test
    void aSecondStagingPathIsRefused() throws IOException {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.EXT4);
        var second = Files.createDirectory(node.root().resolve("second"));
        assertThatThrownBy(() -> node.engine.stage(
                        new Stage(volume, new TargetPath(second.toString()), TestNode.EXT4, Map.of(), Map.of())))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining(node.stagingPath(volume).value());
        node.engine.unstage(volume, new TargetPath(second.toString()));
        assertThat(node.mounts()).hasSize(1);
    }

    @Test
    void aForeignMountAtThePathIsNamedAndLeftAlone() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        Mounts.mount(Path.of("none"), staging(volume), "tmpfs", java.util.List.of());
        assertThatThrownBy(() -> node.stage(volume, TestNode.EXT4))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("tmpfs");
        assertThat(mount(volume).type()).isEqualTo("tmpfs");
        assertThat(node.loops()).isEmpty();
        node.unstage(volume);
        assertThat(mount(volume).type()).isEqualTo("tmpfs");
    }

    @Test
    void somethingElseOnTheDeviceIsNeverFormatted() throws IOException {
        var volume = node.volume("v1", FilesystemType.EXT4);
        overwrite(volume, 512, "LABELONE");
        overwrite(volume, 536, "LVM2 001");
        assertThatThrownBy(() -> node.stage(volume, TestNode.EXT4)).isInstanceOf(NotPossible.class);
        assertNothingLeft();
        assertThat(node.records.stage(volume)).isEmpty();
        assertThat(node.records.filesystem(volume)).isEmpty();
    }

    @Test
    void aFilesystemOfAnotherTypeIsNeverReplaced() {
        var volume = node.volume("v1", FilesystemType.XFS);
        node.stage(volume, TestNode.EXT4);
        node.unstage(volume);
        assertThatThrownBy(() -> node.stage(volume, TestNode.filesystem("xfs")))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("ext4")
                .hasMessageContaining("xfs");
        assertNothingLeft();
    }

    @Test
    void aVolumeWhoseFilesystemVanishedIsNotFormattedAgain() throws IOException {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.EXT4);
        node.unstage(volume);
        Files.delete(node.devices.file(volume));
        node.volume("v1", FilesystemType.EXT4);
        assertThatThrownBy(() -> node.stage(volume, TestNode.EXT4))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("data loss suspected");
        assertNothingLeft();
    }

    @Test
    void aDeviceThatCannotBeReadIsNotTakenForBlank() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.devices.unreadable = true;
        assertThatThrownBy(() -> node.stage(volume, TestNode.EXT4)).isInstanceOf(Unavailable.class);
        node.devices.unreadable = false;
        assertNothingLeft();
        assertThat(node.records.filesystem(volume)).isEmpty();
        node.stage(volume, TestNode.EXT4);
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aReadOnlyUseMountsReadOnlyAndNeverFormats(FilesystemType type) {
        var volume = node.volume("v1", type);
        var reading = TestNode.filesystem(type.mountName(), AccessMode.SINGLE_NODE_READER_ONLY);
        assertThatThrownBy(() -> node.stage(volume, reading)).isInstanceOf(NotPossible.class);
        node.stage(volume, TestNode.filesystem(type));
        node.unstage(volume);
        node.stage(volume, reading);
        assertThat(mount(volume).readOnly()).isTrue();
    }

    @Test
    void hostileContextsAreRefusedBeforeAnythingIsTouched() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        for (var context : java.util.List.of(
                Map.of("mountOptions", "noatime,bind"),
                Map.of("mkfsOptions", "-d /etc"),
                Map.of("fsType", "../ext4"),
                Map.of("fsType", "tmpfs"))) {
            assertThatThrownBy(() -> node.stage(volume, TestNode.filesystem(""), context))
                    .isInstanceOf(InvalidRequest.class);
        }
        assertThat(node.devices.attachments).hasValue(0);
        assertThat(node.records.volumes()).isEmpty();
    }

    @Test
    void aFailedFormattingLeavesNothingAndCanBeRepeated() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        assertThatThrownBy(() -> node.stage(volume, TestNode.EXT4, Map.of("mkfsOptions", "-b 512")));
        assertNothingLeft();
        node.stage(volume, TestNode.EXT4);
        assertThat(node.mounts()).hasSize(1);
    }

    @Test
    void aFailedMountLeavesNothing() throws IOException {
        var volume = node.volume("v1", FilesystemType.EXT4);
        var file = Files.createFile(node.root().resolve("file"));
        assertThatThrownBy(() -> node.engine.stage(
                new Stage(volume, new TargetPath(file.toString()), TestNode.EXT4, Map.of(), Map.of())));
        assertNothingLeft();
        assertThat(node.records.stage(volume)).isEmpty();
        // The kernel refuses what our list cannot know to be contradictory.
        assertThatThrownBy(() ->
                        node.stage(volume, TestNode.filesystem("ext4", AccessMode.SINGLE_NODE_WRITER, "data=nonsense")))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("data=nonsense");
        assertNothingLeft();
        node.stage(volume, TestNode.EXT4);
    }

    @Test
    void aSymbolicLinkAsStagingPathIsRefused() throws IOException {
        var volume = node.volume("v1", FilesystemType.EXT4);
        var real = Files.createDirectory(node.root().resolve("real"));
        var link = Files.createSymbolicLink(node.root().resolve("link"), real);
        assertThatThrownBy(() -> node.engine.stage(
                        new Stage(volume, new TargetPath(link.toString()), TestNode.EXT4, Map.of(), Map.of())))
                .isInstanceOf(InvalidRequest.class);
        assertNothingLeft();
    }

    @Test
    void anUnknownVolumeIsNotFoundAndUnstagingItIsFine() {
        var unknown = new VolumeId("unknown");
        assertThatThrownBy(() -> node.stage(unknown, TestNode.EXT4)).isInstanceOf(NotFound.class);
        node.unstage(unknown);
        assertThat(node.records.volumes()).isEmpty();
    }

    @Test
    void theGroupOwnsTheFilesystemAndAnotherGroupTakesOver() throws IOException {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.forGroup("ext4", 4711));
        Files.createFile(staging(volume).resolve("file"));
        assertThat(Files.getAttribute(staging(volume), "unix:gid")).isEqualTo(4711);
        node.stage(volume, TestNode.forGroup("ext4", 4712));
        assertThat(Files.getAttribute(staging(volume), "unix:gid")).isEqualTo(4712);
        assertThat(Files.getAttribute(staging(volume).resolve("file"), "unix:gid"))
                .isEqualTo(4712);
    }

    @Test
    void theContextTunesTheDevice() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.EXT4, Map.of("readAhead", "1Mi"));
        assertThat(node.devices.tuned).containsExactly(Map.of("readAhead", "1Mi"));
    }

    @Test
    void aVolumeInUseIsNotUnstaged() throws IOException {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.EXT4);
        node.publish(volume, "pod", TestNode.EXT4, false);
        assertThatThrownBy(() -> node.unstage(volume))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining(node.target("pod").value());
        node.unpublish(volume, "pod");
        try (var open = Files.newInputStream(Files.createFile(staging(volume).resolve("file")))) {
            assertThatThrownBy(() -> node.unstage(volume))
                    .isInstanceOf(NotPossible.class)
                    .hasMessageContaining("in use");
            assertThat(open.read()).isNegative();
        }
        node.unstage(volume);
        node.unstage(volume);
        assertNothingLeft();
        assertThat(staging(volume)).isDirectory();
    }

    @Test
    void lostRecordsDoNotKeepAVolumeMounted() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.EXT4);
        node.publish(volume, "pod", TestNode.EXT4, false);
        node.records
                .edit(volume)
                .dropStage()
                .dropPublication(node.target("pod").value())
                .commit();
        node.unpublish(volume, "pod");
        node.unstage(volume);
        assertNothingLeft();
        assertThat(TestNode.path(node.target("pod"))).doesNotExist();
    }
}
