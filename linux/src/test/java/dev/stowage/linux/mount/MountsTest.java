package dev.stowage.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.UnsafePathException;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.testing.Scratch;
import dev.stowage.linux.testing.Volume;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MountsTest {
    @Test
    void optionsBecomeFlagsOrGoToTheFilesystem() throws Exception {
        try (var scratch = new Scratch();
                var image = scratch.directory().create("image")) {
            image.truncate(64 * Volume.MIB);
            var target = scratch.path("t");
            assertThat(Mounts.ensureDirectory(target)).isTrue();
            var loop = LoopDevices.attach(image, image.path(), new LoopDevices.Options(false, false));
            var device = loop.path();
            try {
                Filesystems.format(device, FilesystemType.EXT4, UUID.randomUUID(), List.of(), null);
                Mounts.mount(
                        device, target, "ext4", List.of("nosuid,nodev", "noatime", "x-note=1", "errors=remount-ro"));
                var mounted = Mounts.at(target).orElseThrow();
                assertThat(mounted.options())
                        .contains("nosuid", "nodev", "noatime", "rw")
                        .doesNotContain("noexec");
                assertThat(mounted.superOptions()).contains("errors=remount-ro");
                assertThat(mounted.type()).isEqualTo("ext4");
                assertThat(mounted.source()).isEqualTo(device.toString());
                assertThat(Mounts.ofDevice(7, loop.number())).containsExactly(mounted);
                Mounts.unmount(target);
                assertThatThrownBy(() -> Mounts.mount(device, target, "ext4", List.of("no-such-option")))
                        .isInstanceOfSatisfying(
                                SyscallException.class,
                                e -> assertThat(e.is(Errno.EINVAL)).isTrue())
                        .hasMessageContaining(device.toString())
                        .hasMessageContaining(target.toString());
                assertThatThrownBy(() -> Mounts.mount(device, target, "ext4", List.of("remount,ro")))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThat(Mounts.mountRoot(target)).isEmpty();
            } finally {
                Mounts.unmount(target);
                LoopDevices.detach(loop, image.identity());
            }
        }
    }

    @Test
    void aReadOnlyBindRefusesWritesAndKeepsTheFlagsOfItsSource() throws Exception {
        try (var volume = new Volume(FilesystemType.EXT4, 64 * Volume.MIB);
                var scratch = new Scratch()) {
            var source = scratch.path("source");
            var target = scratch.path("target");
            Mounts.ensureDirectory(source);
            Mounts.ensureDirectory(target);
            try {
                Mounts.mount(
                        Path.of("/dev/loop" + volume.loop()), source, "ext4", List.of("nosuid", "nodev", "noatime"));
                Mounts.bind(source, target, true);
                assertThat(Mounts.at(target).orElseThrow().options()).contains("ro", "nosuid", "nodev", "noatime");
                assertThat(Mounts.mountRoot(target).orElseThrow().readOnly()).isTrue();
                assertThat(Mounts.mountRoot(source).orElseThrow().readOnly()).isFalse();
                assertThat(Mounts.mountRoot(target).orElseThrow().identity())
                        .isEqualTo(Mounts.mountRoot(source).orElseThrow().identity());
                assertThatThrownBy(() -> Files.createFile(target.resolve("file")))
                        .isInstanceOf(FileSystemException.class);
                Files.createFile(source.resolve("file"));
                assertThat(target.resolve("file")).exists();
            } finally {
                Mounts.unmount(target);
                Mounts.unmount(source);
            }
        }
    }

    @Test
    void aDeviceNodeIsBoundOnAFile() throws Exception {
        try (var volume = new Volume(FilesystemType.EXT4, 64 * Volume.MIB);
                var scratch = new Scratch()) {
            var target = scratch.path("block");
            assertThat(Mounts.ensureFile(target)).isTrue();
            assertThat(Mounts.ensureFile(target)).isFalse();
            try {
                Mounts.bind(Path.of("/dev/loop" + volume.loop()), target, false);
                assertThat(Mounts.ensureFile(target)).isFalse();
                assertThat(Mounts.mountRoot(target).orElseThrow().node())
                        .contains(new MountRoot.DeviceNumber(7, volume.loop()));
                assertThatThrownBy(() -> Mounts.removeTarget(target)).isInstanceOf(UnsafePathException.class);
            } finally {
                Mounts.unmount(target);
            }
            Mounts.removeTarget(target);
            Mounts.removeTarget(target);
            assertThat(target).doesNotExist();
        }
    }

    @Test
    void allThatIsStackedAtAPathIsUnmountedAndNothingIsFine() throws Exception {
        try (var scratch = new Scratch()) {
            var target = scratch.path("stack");
            var source = scratch.path("source");
            Mounts.ensureDirectory(target);
            Mounts.ensureDirectory(source);
            Mounts.unmount(scratch.path("absent"));
            Mounts.unmount(target);
            for (int i = 0; i < 3; i++) {
                Mounts.bind(source, target, false);
            }
            assertThat(Mounts.all().stream().filter(mount -> mount.target().equals(target)))
                    .hasSize(3);
            assertThat(Mounts.at(target).orElseThrow().id())
                    .isEqualTo((int) Mounts.mountRoot(target).orElseThrow().mountId());
            Mounts.unmount(target);
            assertThat(Mounts.at(target)).isEmpty();
            Mounts.removeTarget(target);
        }
    }

    @Test
    void aMountInUseIsBusyAndStays() throws Exception {
        try (var volume = new Volume(FilesystemType.EXT4, 64 * Volume.MIB)) {
            assertThatThrownBy(() -> Mounts.unmount(volume.mountPoint()))
                    .isInstanceOfSatisfying(
                            SyscallException.class,
                            e -> assertThat(e.is(Errno.EBUSY)).isTrue());
            assertThat(Mounts.mountRoot(volume.mountPoint())).isPresent();
        }
    }

    @Test
    void aSymbolicLinkAtTheEndOfATargetIsRefused() throws Exception {
        try (var scratch = new Scratch()) {
            var real = scratch.path("real");
            Mounts.ensureDirectory(real);
            Files.writeString(scratch.path("file"), "precious");
            var link = Files.createSymbolicLink(scratch.path("link"), real);
            assertThatThrownBy(() -> Mounts.bind(real, link, false)).isInstanceOf(UnsafePathException.class);
            assertThatThrownBy(() -> Mounts.bind(link, real, false)).isInstanceOf(UnsafePathException.class);
            assertThatThrownBy(() -> Mounts.mount(Path.of("/dev/null"), link, "ext4", List.of()))
                    .isInstanceOf(UnsafePathException.class);
            assertThatThrownBy(() -> Mounts.ensureDirectory(link)).isInstanceOf(UnsafePathException.class);
            assertThatThrownBy(() -> Mounts.ensureFile(link)).isInstanceOf(UnsafePathException.class);
            assertThatThrownBy(() -> Mounts.removeTarget(link)).isInstanceOf(UnsafePathException.class);
            assertThatThrownBy(() -> Mounts.removeTarget(scratch.path("file"))).isInstanceOf(UnsafePathException.class);
            try {
                Mounts.bind(real, real, false);
                Mounts.unmount(link);
                assertThat(Mounts.mountRoot(real)).isPresent();
            } finally {
                Mounts.unmount(real);
            }
            assertThat(link).isSymbolicLink();
        }
    }

    @Test
    void namesWithSpacesAndOtherSignsAreFoundInTheTable() throws Exception {
        try (var scratch = new Scratch()) {
            for (var name :
                    List.of("with space", "tab\there", "back\\slash", "hash#sign", "new\nline", "looks\\040escaped")) {
                var target = scratch.path(name);
                Mounts.ensureDirectory(target);
                try {
                    Mounts.bind(target, target, false);
                    assertThat(Mounts.at(target)).as(name).isPresent();
                    assertThat(Mounts.all())
                            .as(name)
                            .anyMatch(mount -> mount.target().equals(target));
                } finally {
                    Mounts.unmount(target);
                }
                assertThat(Mounts.at(target)).as(name).isEmpty();
            }
        }
    }

    @Test
    void aTargetBelowALinkedDirectoryIsFoundInTheTable() throws Exception {
        try (var scratch = new Scratch()) {
            Mounts.ensureDirectory(scratch.path("real"));
            Mounts.ensureDirectory(scratch.path("real").resolve("target"));
            var linked = Files.createSymbolicLink(scratch.path("linked"), scratch.path("real"))
                    .resolve("target");
            try {
                Mounts.bind(linked, linked, false);
                assertThat(Mounts.at(linked)).isPresent();
            } finally {
                Mounts.unmount(linked);
            }
            assertThat(Mounts.at(linked)).isEmpty();
        }
    }

    @Test
    void aFilesystemThatHasShutDownCanStillBeUnmounted() throws Exception {
        try (var volume = new Volume(FilesystemType.XFS, 300 * Volume.MIB);
                var scratch = new Scratch()) {
            var target = scratch.path("target");
            Mounts.ensureDirectory(target);
            Mounts.bind(volume.mountPoint(), target, false);
            Commands.run(
                            Duration.ofSeconds(20),
                            "xfs_io",
                            "-x",
                            "-c",
                            "shutdown",
                            volume.mountPoint().toString())
                    .orThrow();
            Mounts.unmount(target);
            assertThat(Mounts.at(target)).isEmpty();
        }
    }
}
