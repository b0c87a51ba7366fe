package dev.stowage.linux.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.file.SparseCopy;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.linux.process.Self;
import dev.stowage.linux.testing.Scratch;
import dev.stowage.linux.testing.Volume;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilesystemsTest {
    private static final LoopDevices.Options PASSING = new LoopDevices.Options(false, true);

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aMadeFilesystemIsRecognisedMeasuredAndGrownWhileMounted(FilesystemType type) throws Exception {
        try (var volume = new Volume(type, 320 * Volume.MIB)) {
            var device = Path.of("/dev/loop" + volume.loop());
            assertThat(Filesystems.probe(device)).isEqualTo(new Signature.Known(type, volume.uuid(), "test"));
            Files.write(volume.mountPoint().resolve("file"), new byte[1 << 20]);
            var before = Filesystems.usage(volume.mountPoint());
            assertThat(before.totalBytes()).isBetween(100 * Volume.MIB, 320 * Volume.MIB);
            assertThat(before.availableBytes()).isPositive().isLessThan(before.totalBytes());
            assertThat(before.usedBytes()).isPositive();
            assertThat(before.usedInodes()).isEqualTo(before.totalInodes() - before.freeInodes());
            volume.image().truncate(640 * Volume.MIB);
            LoopDevices.resize(volume.loop());
            if (type == FilesystemType.EXT4 && !Self.capable(Self.CAP_SYS_RESOURCE)) {
                // The kernel refuses; what can be held to here is that the refusal says why and that nothing changed.
                assertThatThrownBy(() -> Filesystems.grow(type, device, volume.mountPoint()))
                        .isInstanceOf(CommandFailedException.class)
                        .hasMessageContaining("SYS_RESOURCE");
                assertThat(Filesystems.usage(volume.mountPoint())).isEqualTo(before);
                return;
            }
            Filesystems.grow(type, device, volume.mountPoint());
            Filesystems.grow(type, device, volume.mountPoint());
            assertThat(Filesystems.usage(volume.mountPoint()).totalBytes())
                    .isGreaterThan(before.totalBytes() + 250 * Volume.MIB);
        }
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aFrozenFilesystemIsThawedOnce(FilesystemType type) throws Exception {
        try (var volume = new Volume(type, 320 * Volume.MIB)) {
            assertThat(Filesystems.thaw(volume.mountPoint())).isFalse();
            Filesystems.freeze(volume.mountPoint());
            try {
                assertThatThrownBy(() -> Filesystems.freeze(volume.mountPoint()))
                        .isInstanceOfSatisfying(
                                SyscallException.class,
                                e -> assertThat(e.is(Errno.EBUSY)).isTrue());
            } finally {
                assertThat(Filesystems.thaw(volume.mountPoint())).isTrue();
            }
            assertThat(Filesystems.thaw(volume.mountPoint())).isFalse();
            Files.writeString(volume.mountPoint().resolve("file"), "written again");
        }
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aCopyOfAMountedFilesystemIsMountedBesideItsOriginal(FilesystemType type) throws Exception {
        try (var volume = new Volume(type, 320 * Volume.MIB);
                var scratch = new Scratch();
                var copy = scratch.directory().create("copy")) {
            Files.writeString(volume.mountPoint().resolve("file"), "original");
            Filesystems.freeze(volume.mountPoint());
            try {
                LoopDevices.flush(volume.loop());
                SparseCopy.copy(volume.image(), copy, (done, total) -> {});
            } finally {
                Filesystems.thaw(volume.mountPoint());
            }
            var target = scratch.path("target");
            Mounts.ensureDirectory(target);
            try (var device = LoopDevices.attach(copy, copy.path(), PASSING)) {
                var fresh = UUID.randomUUID();
                var changed = Filesystems.changeUuid(type, device.path(), fresh);
                assertThat(changed).isEqualTo(type == FilesystemType.BTRFS);
                assertThat(Filesystems.probe(device.path()))
                        .isEqualTo(new Signature.Known(type, changed ? fresh : volume.uuid(), "test"));
                Mounts.mount(
                        device.path(),
                        target,
                        type.mountName(),
                        type == FilesystemType.XFS ? List.of("nouuid") : List.of());
                Files.writeString(volume.mountPoint().resolve("file"), "changed in the original");
                assertThat(target.resolve("file")).hasContent("original");
            } finally {
                Mounts.unmount(target);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dev/null",
                "other-device",
                "--",
                "-n",
                "-S",
                "-d",
                "-Jdevice=/dev/sda",
                "-Jdevice=x",
                "-U",
                "-L",
                "-V",
                "-"
            })
    void anOptionThatCouldNameSomethingElseIsRefused(String option) throws Exception {
        try (var scratch = new Scratch();
                var file = scratch.directory().create("image")) {
            file.truncate(64 * Volume.MIB);
            assertThatThrownBy(() -> Filesystems.format(
                            file.path(), FilesystemType.EXT4, UUID.randomUUID(), List.of(option), null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(option);
            assertThat(file.allocatedBytes()).isZero();
        }
    }

    @Test
    void valuesThatCouldNameSomethingElseAreRefused() {
        for (var options : List.of(
                List.of("-d", "file,name=x"),
                List.of("-l", "logdev=sdb"),
                List.of("-m", "uuid=1"),
                List.of("-b"),
                List.of("-b", "-f"),
                List.of("-b", "size=4096", "sdb"))) {
            assertThatThrownBy(() -> Filesystems.format(
                            Path.of("/nonexistent"), FilesystemType.XFS, UUID.randomUUID(), options, null))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void optionsThatShapeTheFilesystemAreHeeded() throws Exception {
        try (var volume =
                new Volume(FilesystemType.EXT4, 64 * Volume.MIB, "-b1024", "-m", "0", "-E", "stride=4", "-N", "2048")) {
            assertThat(Filesystems.usage(volume.mountPoint()).totalInodes()).isEqualTo(2048);
        }
        try (var volume = new Volume(FilesystemType.BTRFS, 200 * Volume.MIB, "--nodesize=4096", "-M")) {
            assertThat(Filesystems.usage(volume.mountPoint()).totalBytes()).isPositive();
        }
    }
}
