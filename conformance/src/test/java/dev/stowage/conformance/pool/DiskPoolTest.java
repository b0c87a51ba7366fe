package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DiskPoolTest {

    private static final long SIZE = 384 * Claim.MIB;

    private static RunningDriver.Options onDisk(Workspace workspace, Path disk) {
        return RunningDriver.in(workspace)
                .pool(disk)
                .with("--pool-mount-dir", workspace.root().resolve("disks").toString());
    }

    @Test
    void aBlankDiskBecomesThePoolAndIsMountedOnlyAsLongAsItIsNeeded() throws IOException {
        try (var workspace = Workspace.create();
                var media = new Media(workspace)) {
            Path disk = media.disk("disk.img", SIZE);
            Claim claim;
            try (var driver = onDisk(workspace, disk).start()) {
                claim = Claim.create(driver.csi(), workspace, "pvc", 32 * Claim.MIB, CsiClient.mounted("ext4"));
                Files.writeString(claim.use("pod").resolve("note"), "kept");
                assertThat(driver.stop()).isZero();
            }
            assertThat(workspace.mounts())
                    .as("a volume is in use, so the pool stays mounted")
                    .anyMatch(mount -> mount.startsWith(workspace.root().resolve("disks")));
            try (var driver = onDisk(workspace, disk).start()) {
                claim = claim.through(driver.csi());
                assertThat(claim.target("pod").resolve("note")).hasContent("kept");
                claim.release("pod");
                assertThat(driver.stop()).isZero();
            }
            assertThat(workspace.mounts()).as("nothing is in use any more").isEmpty();
            try (var driver = onDisk(workspace, disk).start()) {
                claim = claim.through(driver.csi());
                assertThat(claim.use("pod").resolve("note")).hasContent("kept");
                claim.release("pod");
            }
        }
    }

    enum Content {
        EXT4,
        PARTITION_TABLE,
        XFS_WITH_FILES,
        A_BYTE_AT_THE_START,
        A_BYTE_IN_THE_FIRST_MEGABYTE,
        A_BYTE_WHERE_BTRFS_HAS_ITS_SECOND_SUPERBLOCK,
        A_BYTE_IN_THE_LAST_BLOCK;

        void put(Path file, Path disk, Workspace workspace) throws IOException {
            switch (this) {
                case EXT4 -> Workspace.run("mkfs.ext4", "-q", disk.toString());
                case XFS_WITH_FILES -> {
                    Workspace.run("mkfs.xfs", "-q", disk.toString());
                    Path there = workspace.directory("foreign");
                    Workspace.run("mount", disk.toString(), there.toString());
                    Files.writeString(there.resolve("precious"), "data");
                    Workspace.run("umount", there.toString());
                }
                // A protective boot record, as every partitioned disk has.
                case PARTITION_TABLE -> write(file, 510, 0x55, 0xaa);
                case A_BYTE_AT_THE_START -> write(file, 0, 1);
                case A_BYTE_IN_THE_FIRST_MEGABYTE -> write(file, 700_001, 1);
                case A_BYTE_WHERE_BTRFS_HAS_ITS_SECOND_SUPERBLOCK -> write(file, (64 << 20) + 77, 1);
                case A_BYTE_IN_THE_LAST_BLOCK -> write(file, SIZE - 1, 1);
            }
        }

        private static void write(Path file, long offset, int... bytes) throws IOException {
            try (var opened = new RandomAccessFile(file.toFile(), "rw")) {
                opened.seek(offset);
                for (int value : bytes) {
                    opened.write(value);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDiskWithDataIsRefusedAndLeftAsItIs(Content content) throws Exception {
        try (var workspace = Workspace.create();
                var media = new Media(workspace)) {
            Path file = media.file("disk.img", SIZE);
            Path disk = media.disk(file);
            content.put(file, disk, workspace);
            Workspace.run("sync", file.toString());
            Path before = workspace.root().resolve("before.img");
            Workspace.run("cp", "--sparse=always", file.toString(), before.toString());
            assertRefused(onDisk(workspace, disk), disk);
            assertThat(workspace.mounts()).isEmpty();
            Workspace.run("cmp", before.toString(), file.toString());
        }
    }

    @Test
    void aDiskThatCannotBeReadIsRefusedAndNotTakenForBlank() throws Exception {
        try (var workspace = Workspace.create();
                var media = new Media(workspace);
                var faulty = FaultyDisk.create(workspace, media, SIZE)) {
            faulty.fill(4096, "this cannot be read later");
            faulty.damage("this cannot be read later");
            assertRefused(onDisk(workspace, faulty.device()), faulty.device()).contains("EIO");
            faulty.mend();
            assertRefused(onDisk(workspace, faulty.device()), faulty.device()).contains("unrecognised data");
        }
    }

    private static AbstractStringAssert<?> assertRefused(RunningDriver.Options options, Path disk) throws Exception {
        Files.deleteIfExists(options.log());
        var process = options.launch();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        return assertThat(Files.readString(options.log())).contains(disk.toString());
    }
}
