package dev.stowage.clustertests.image;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.workbench.image.ProductImage;
import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program runs with the image's files alone; that of the machine is out of its sight. */
class ProgramInTheImageTest {
    private static final long MIB = 1L << 20;
    private static final String NODE = "node-1";
    private static ImageUnderTest image;

    private Path scratch;
    private String inside;

    @BeforeAll
    static void build() throws IOException {
        image = ImageUnderTest.get();
    }

    @BeforeEach
    void makeRoom() throws IOException {
        scratch = Files.createTempDirectory(image.inside("/tmp"), "test");
        inside = "/tmp/" + scratch.getFileName();
    }

    @AfterEach
    void cleanUp() {
        Programs.run(ImageUnderTest.PATIENCE, "rm", "-rf", scratch.toString()).orThrow();
    }

    @Test
    void itStartsFromTheClassesThatWereLoadedAheadOfTime() {
        var command = List.of(ProductImage.JAVA, "-Xshare:on", "@" + ProductImage.ARGUMENTS, "version");

        var said = image.run(command);

        assertThat(said.exitCode()).as(said.stderr()).isZero();
        assertThat(said.stdout()).isEqualTo("stowage " + ImageUnderTest.inputs().version() + "\n");
        assertThat(said.stderr()).isEmpty();
    }

    @Test
    void theClassesAreRefusedWhenAJarIsNotTheOneTheyWereTakenFrom() throws IOException {
        var jar = image.inside(
                "/opt/stowage/lib/stowage-cli-" + ImageUnderTest.inputs().version() + ".jar");
        var time = Files.getLastModifiedTime(jar);
        Files.setLastModifiedTime(jar, FileTime.fromMillis(time.toMillis() + 60_000));
        try {
            var said = image.run(List.of(ProductImage.JAVA, "-Xshare:on", "@" + ProductImage.ARGUMENTS, "version"));

            assertThat(said.exitCode()).isNotZero();
            assertThat(image.run(image.command("version")).stdout()).startsWith("stowage ");
        } finally {
            Files.setLastModifiedTime(jar, time);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs"})
    void aVolumeIsFormattedMountedAndKeepsWhatIsWritten(String filesystem) throws Exception {
        try (var driver = Driver.start("0:0", "all", scratch, inside)) {
            var volume = driver.create(filesystem, 400 * MIB);
            var staging = driver.stage(volume, filesystem);
            var file = driver.seenByIt(staging + "/file");
            Files.writeString(file, "kept");
            driver.unstage(volume, staging);
            driver.stage(volume, filesystem);

            assertThat(file).hasContent("kept");

            driver.unstage(volume, staging);
            driver.delete(volume);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"xfs", "btrfs"})
    void aMountedVolumeGrows(String filesystem) throws Exception {
        try (var driver = Driver.start("0:0", "all", scratch, inside)) {
            var volume = driver.create(filesystem, 400 * MIB);
            var staging = driver.stage(volume, filesystem);
            var store = driver.seenByIt(staging);
            long before = Files.getFileStore(store).getTotalSpace();
            driver.grow(volume, staging, 800 * MIB);

            assertThat(Files.getFileStore(store).getTotalSpace()).isGreaterThan(before + 300 * MIB);

            driver.unstage(volume, staging);
            driver.delete(volume);
        }
    }

    /** Growing it while it is mounted takes a capability that not every test machine grants. */
    @Test
    void anExt4FilesystemIsMadeCheckedAndGrown() throws IOException {
        var disk = scratch.resolve("disk");
        try (var file = new RandomAccessFile(disk.toFile(), "rw")) {
            file.setLength(64 * MIB);
        }
        image.run(List.of("mkfs.ext4", "-q", inside + "/disk")).orThrow();
        try (var file = new RandomAccessFile(disk.toFile(), "rw")) {
            file.setLength(128 * MIB);
        }
        image.run(List.of("e2fsck", "-f", "-p", inside + "/disk")).orThrow();
        var grown = image.run(List.of("resize2fs", inside + "/disk"));

        assertThat(grown.exitCode()).as(grown.stderr()).isZero();
        assertThat(image.run(List.of("e2fsck", "-f", "-n", inside + "/disk")).exitCode())
                .isZero();
    }

    @Test
    void theControllerNeedsNoRoot() throws Exception {
        Files.setAttribute(scratch, "unix:uid", 65532);
        Files.setAttribute(scratch, "unix:gid", 65532);
        try (var driver = Driver.start("65532:65532", "controller", scratch, inside)) {
            assertThat(driver.create("ext4", 16 * MIB).getVolumeId()).isNotEmpty();
        }
    }

    /** A driver in the image, called from outside through its socket. */
    private record Driver(Process process, CsiClient client, Path scratch, String inside) implements AutoCloseable {

        static Driver start(String user, String role, Path scratch, String inside) throws Exception {
            var log = scratch.resolve("log").toFile();
            var process = image.root()
                    .process(
                            user,
                            image.command(
                                    "driver",
                                    "--role",
                                    role,
                                    "--endpoint",
                                    "unix://" + inside + "/csi.sock",
                                    "--node-id",
                                    NODE,
                                    "--overcommit",
                                    "100",
                                    "--pool",
                                    inside + "/pool"))
                    .redirectErrorStream(true)
                    .redirectOutput(log)
                    .start();
            var client = CsiClient.connect(scratch.resolve("csi.sock"));
            if (!client.awaitReady(ImageUnderTest.PATIENCE, process::isAlive)) {
                process.destroyForcibly();
                throw new IllegalStateException("the driver did not start: " + Files.readString(log.toPath()));
            }
            return new Driver(process, client, scratch, inside);
        }

        Volume create(String filesystem, long size) {
            return client.controller()
                    .createVolume(CreateVolumeRequest.newBuilder()
                            .setName("volume-" + filesystem)
                            .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size))
                            .addVolumeCapabilities(capability(filesystem))
                            .build())
                    .getVolume();
        }

        String stage(Volume volume, String filesystem) throws IOException {
            client.controller()
                    .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .setNodeId(NODE)
                            .setVolumeCapability(capability(filesystem))
                            .putAllVolumeContext(volume.getVolumeContextMap())
                            .build());
            var staging = inside + "/staging";
            Files.createDirectories(scratch.resolve("staging"));
            client.node()
                    .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .setStagingTargetPath(staging)
                            .setVolumeCapability(capability(filesystem))
                            .putAllVolumeContext(volume.getVolumeContextMap())
                            .build());
            return staging;
        }

        void grow(Volume volume, String staging, long size) {
            var range = CapacityRange.newBuilder().setRequiredBytes(size).build();
            client.controller()
                    .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .setCapacityRange(range)
                            .build());
            client.node()
                    .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .setVolumePath(staging)
                            .setStagingTargetPath(staging)
                            .setCapacityRange(range)
                            .build());
        }

        void unstage(Volume volume, String staging) {
            client.node()
                    .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .setStagingTargetPath(staging)
                            .build());
        }

        void delete(Volume volume) {
            client.controller()
                    .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .setNodeId(NODE)
                            .build());
            client.controller()
                    .deleteVolume(DeleteVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .build());
        }

        /** Its mounts are in a namespace of its own, into which there is a way through its process. */
        Path seenByIt(String path) {
            return Path.of("/proc/" + process.pid() + "/root" + path);
        }

        private static VolumeCapability capability(String filesystem) {
            return CsiClient.mounted(filesystem);
        }

        @Override
        public void close() throws InterruptedException {
            client.close();
            process.destroy();
            process.waitFor();
        }
    }
}
