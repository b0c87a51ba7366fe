package dev.stowage.linux.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.testing.Scratch;
import dev.stowage.linux.testing.Volume;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class LoopDevicesTest {
    private static final LoopDevices.Options LASTING = new LoopDevices.Options(false, false);
    private static final LoopDevices.Options PASSING = new LoopDevices.Options(false, true);

    @Test
    void aLastingDeviceIsFoundByItsFileAndStaysUntilDetached() throws Exception {
        try (var scratch = new Scratch();
                var file = sized(scratch, "file", 10 << 20)) {
            var device = LoopDevices.attach(file, file.path(), LASTING);
            try {
                device.close();
                assertThat(found(file)).isEqualTo(device.number());
                assertThat(LoopDevices.size(device.number())).isEqualTo(10 << 20);
                assertThat(LoopDevices.attached())
                        .contains(new LoopDevices.Attached(
                                device.number(), file.identity(), file.path().toString(), false, false));
            } finally {
                LoopDevices.detach(device, file.identity());
            }
            assertThat(LoopDevices.find(file.identity())).isEmpty();
            LoopDevices.detach(device, file.identity());
        }
    }

    @Test
    void aPassingDeviceGoesWithItsLastUser() throws Exception {
        try (var scratch = new Scratch();
                var file = sized(scratch, "file", 1 << 20)) {
            try (var device = LoopDevices.attach(file, file.path(), PASSING)) {
                assertThat(found(file)).isEqualTo(device.number());
            }
            assertThat(LoopDevices.find(file.identity())).isEmpty();
        }
    }

    @Test
    void aDeviceThatWasFoundDoesNotVanishBeforeItIsUsed() throws Exception {
        try (var scratch = new Scratch();
                var file = sized(scratch, "file", 1 << 20)) {
            var first = LoopDevices.attach(file, file.path(), PASSING);
            try (var second = LoopDevices.find(file.identity()).orElseThrow()) {
                first.close();
                write(second);
                assertThat(found(file)).isEqualTo(second.number());
            }
            assertThat(LoopDevices.find(file.identity())).isEmpty();
        }
    }

    @Test
    void aDeviceThatHasAnotherFileIsLeftAlone() throws Exception {
        try (var scratch = new Scratch();
                var file = sized(scratch, "file", 1 << 20);
                var other = sized(scratch, "other", 1 << 20)) {
            var device = LoopDevices.attach(file, file.path(), LASTING);
            try {
                LoopDevices.detach(device.number(), other.identity());
                assertThat(found(file)).isEqualTo(device.number());
            } finally {
                LoopDevices.detach(device, file.identity());
            }
        }
    }

    @Test
    void aDeviceFollowsItsFileWhenToldTo() throws Exception {
        try (var scratch = new Scratch();
                var file = sized(scratch, "file", 1 << 20);
                var device = LoopDevices.attach(file, file.path(), PASSING)) {
            file.truncate(3 << 20);
            assertThat(LoopDevices.size(device.number())).isEqualTo(1 << 20);
            LoopDevices.resize(device.number());
            assertThat(LoopDevices.size(device.number())).isEqualTo(3 << 20);
            LoopDevices.setReadAhead(device.number(), 512);
            assertThat(Path.of("/sys/block/loop" + device.number() + "/queue/read_ahead_kb"))
                    .hasContent("512");
            LoopDevices.flush(device.number());
        }
    }

    @Test
    void aReadOnlyDeviceRefusesWritesUntilItIsWritableAgain() throws Exception {
        try (var scratch = new Scratch();
                var file = sized(scratch, "file", 1 << 20);
                var device = LoopDevices.attach(file, file.path(), PASSING)) {
            LoopDevices.setReadOnly(device.number(), true);
            try {
                assertThatThrownBy(() -> write(device)).isInstanceOf(IOException.class);
            } finally {
                LoopDevices.setReadOnly(device.number(), false);
            }
            write(device);
        }
    }

    @Test
    void aDeviceAttachedReadOnlyRefusesWrites() throws Exception {
        try (var scratch = new Scratch();
                var file = sized(scratch, "file", 1 << 20);
                var device = LoopDevices.attach(file, file.path(), new LoopDevices.Options(true, true))) {
            assertThat(LoopDevices.attached())
                    .anyMatch(each -> each.number() == device.number() && each.readOnly() && each.autoClear());
            assertThatThrownBy(() -> write(device)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aDeviceLeftReadOnlyByItsLastUserIsWritableForTheNext() throws Exception {
        try (var scratch = new Scratch();
                var file = sized(scratch, "file", 1 << 20)) {
            int number;
            try (var device = LoopDevices.attach(file, file.path(), PASSING)) {
                number = device.number();
                LoopDevices.setReadOnly(number, true);
            }
            // The lowest free device is given out first; whoever else attaches meanwhile may get it instead.
            try (var device = LoopDevices.attach(file, file.path(), PASSING)) {
                write(device);
            } finally {
                LoopDevices.setReadOnly(number, false);
            }
        }
    }

    @Test
    void aDeviceInUseIsBusyAndGoesLater() throws Exception {
        FileHandle.Identity identity;
        try (var volume = new Volume(FilesystemType.EXT4, 64 * Volume.MIB)) {
            identity = volume.image().identity();
            assertThatThrownBy(() -> LoopDevices.detach(volume.loop(), identity))
                    .isInstanceOfSatisfying(
                            SyscallException.class,
                            e -> assertThat(e.is(Errno.EBUSY)).isTrue());
            Files.writeString(volume.mountPoint().resolve("still"), "usable");
        }
        assertThat(LoopDevices.find(identity)).isEmpty();
    }

    @Test
    void manyAttachAtOnceAndEachGetsItsOwn() throws Exception {
        try (var scratch = new Scratch();
                var executor = Executors.newFixedThreadPool(8)) {
            var tasks = new ArrayList<Callable<FileHandle.Identity>>();
            for (int i = 0; i < 24; i++) {
                var name = "file" + i;
                tasks.add(() -> {
                    try (var file = sized(scratch, name, 1 << 20)) {
                        var device = LoopDevices.attach(file, file.path(), LASTING);
                        try {
                            assertThat(found(file)).isEqualTo(device.number());
                        } finally {
                            LoopDevices.detach(device, file.identity());
                        }
                        return file.identity();
                    }
                });
            }
            for (var result : executor.invokeAll(tasks)) {
                assertThat(LoopDevices.find(result.get())).isEmpty();
            }
        }
    }

    private static int found(FileHandle file) {
        try (var device = LoopDevices.find(file.identity()).orElseThrow()) {
            return device.number();
        }
    }

    private static void write(LoopDevice device) throws IOException {
        try (var channel = FileChannel.open(device.path(), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(4096));
            channel.force(false);
        }
    }

    private static FileHandle sized(Scratch scratch, String name, long size) {
        var file = scratch.directory().create(name);
        file.truncate(size);
        return file;
    }
}
