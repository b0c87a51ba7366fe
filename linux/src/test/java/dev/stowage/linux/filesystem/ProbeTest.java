package dev.stowage.linux.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.linux.SyscallException;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.testing.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeTest {
    private static final long SIZE = 100L << 20;

    @Test
    void onlyZerosAreBlank() throws Exception {
        for (var size :
                new long[] {512, 1 << 20, (1 << 20) + 512, (1 << 20) + (64 << 10) + 512, 70L << 20, SIZE + 512}) {
            assertThat(probe(size, 0, new byte[0])).as("size " + size).isEqualTo(new Signature.Blank());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 511, 65536, 262144, 1114111, 64L << 20, (64L << 20) + 4095, SIZE - (1 << 20), SIZE - 1})
    void aSingleByteInASignatureAreaIsNotBlank(long offset) throws Exception {
        assertThat(probe(SIZE, offset, new byte[] {1}))
                .isInstanceOfSatisfying(
                        Signature.Foreign.class,
                        foreign ->
                                assertThat(foreign.what()).isEqualTo("unrecognised data at offset " + (offset & ~7L)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|LUKS\u00ba\u00be|LUKS encryption",
                "512|LABELONE|an LVM physical volume",
                "4086|SWAPSPACE2|swap space",
                "512|EFI PART|a GPT partition table",
                "104857088|EFI PART|the backup of a GPT partition table at the end",
                "510|U\u00aa|an MBR partition table or boot sector",
                "3|'NTFS    '|an NTFS filesystem",
                "82|'FAT32   '|a FAT filesystem",
                "32769|CD001|an ISO 9660 image",
                "67108928|_BHRfS_M|the remains of a btrfs filesystem (its second superblock)"
            })
    void whatOthersHaveWrittenIsNamed(long offset, String magic, String name) throws Exception {
        assertThat(probe(SIZE, offset, magic.getBytes(StandardCharsets.ISO_8859_1)))
                .isEqualTo(new Signature.Foreign(name));
    }

    @Test
    void aRaidSuperblockAtTheEndOutranksTheFilesystemAtTheBeginning() throws Exception {
        var sector = ((SIZE / 512) - 16) & ~7L;
        var superblock = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
        superblock.putInt(0, 0xA92B4EFC).putInt(4, 1).putLong(128, sector);
        try (var scratch = new Scratch();
                var file = scratch.directory().create("image")) {
            file.truncate(SIZE);
            Commands.run(
                            Duration.ofSeconds(60),
                            "mkfs.ext4",
                            "-q",
                            "-F",
                            file.path().toString())
                    .orThrow();
            file.sync();
            assertThat(Filesystems.probe(file.path())).isInstanceOf(Signature.Known.class);
            file.write(superblock, sector * 512);
            file.sync();
            assertThat(Filesystems.probe(file.path()))
                    .isEqualTo(new Signature.Foreign("a member of a Linux software RAID array"));
        }
    }

    @Test
    void realSwapSpaceIsRecognised() throws Exception {
        try (var scratch = new Scratch();
                var file = scratch.directory().create("image")) {
            file.truncate(SIZE);
            Commands.run(Duration.ofSeconds(60), "mkswap", file.path().toString())
                    .orThrow();
            file.sync();
            assertThat(Filesystems.probe(file.path())).isEqualTo(new Signature.Foreign("swap space"));
        }
    }

    @Test
    void whatIsOnlyInThePageCacheOfTheDeviceIsNotTakenForWhatIsOnIt() throws Exception {
        try (var scratch = new Scratch();
                var file = scratch.directory().create("image")) {
            file.truncate(SIZE);
            try (var device = LoopDevices.attach(file, file.path(), new LoopDevices.Options(false, true))) {
                assertThat(Filesystems.probe(device.path())).isEqualTo(new Signature.Blank());
                var random = new byte[4096];
                new Random(5).nextBytes(random);
                // Behind the back of the device's page cache.
                file.write(ByteBuffer.wrap(random), 0);
                assertThat(Filesystems.probe(device.path())).isInstanceOf(Signature.Foreign.class);
            }
        }
    }

    @Test
    void aDeviceThatCannotBeReadIsAnErrorAndNotBlank() throws Exception {
        try (var scratch = new Scratch();
                var file = scratch.directory().create("image")) {
            file.truncate(SIZE);
            try (var device = LoopDevices.attach(file, file.path(), new LoopDevices.Options(false, true))) {
                file.truncate(0);
                assertThatThrownBy(() -> Filesystems.probe(device.path()))
                        .isInstanceOf(SyscallException.class)
                        .hasMessageContaining(device.path().toString());
            }
        }
        assertThatThrownBy(() -> Filesystems.probe(Path.of("/dev/no-such-device")))
                .isInstanceOf(SyscallException.class);
    }

    private static Signature probe(long size, long offset, byte[] content) throws Exception {
        try (var scratch = new Scratch();
                var file = scratch.directory().create("image")) {
            file.truncate(size);
            if (content.length > 0) {
                file.write(ByteBuffer.wrap(content), offset);
                file.sync();
            }
            try (var device = LoopDevices.attach(file, file.path(), new LoopDevices.Options(false, true))) {
                return Filesystems.probe(device.path());
            }
        }
    }
}
