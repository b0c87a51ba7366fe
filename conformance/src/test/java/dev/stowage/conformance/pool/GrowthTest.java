package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrowthTest {

    private static final long SMALL = 400 * Claim.MIB;
    private static final long LARGE = Claim.GIB;
    /** A filesystem keeps some of its device for itself. */
    private static final long USABLE = 850 * Claim.MIB;

    private static final int CAP_SYS_RESOURCE = 24;

    private final Rig rig = Rig.sharingBlocks();

    @AfterAll
    void end() {
        rig.close();
    }

    private long expandController(Claim claim, long size) {
        var answer = rig.csi()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size))
                        .setVolumeCapability(claim.capability())
                        .build());
        assertThat(answer.getNodeExpansionRequired()).isTrue();
        return answer.getCapacityBytes();
    }

    private long expandNode(Claim claim, long size) {
        return rig.csi()
                .node()
                .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setVolumePath(claim.target("pod").toString())
                        .setStagingTargetPath(claim.staging().toString())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size))
                        .setVolumeCapability(claim.capability())
                        .build())
                .getCapacityBytes();
    }

    private static long total(Path path) throws IOException {
        return Files.getFileStore(path).getTotalSpace();
    }

    @ParameterizedTest
    @ValueSource(strings = {"xfs", "btrfs"})
    void aFilesystemInUseGrowsWithoutItsPodNoticing(String filesystem) throws IOException {
        var claim = rig.claim("online-" + filesystem, SMALL, CsiClient.mounted(filesystem));
        Path path = claim.use("pod");
        try (var open = FileChannel.open(
                path.resolve("log"), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            open.write(ByteBuffer.wrap("before".getBytes(StandardCharsets.US_ASCII)));
            assertThat(expandController(claim, LARGE)).isEqualTo(LARGE);
            assertThat(expandNode(claim, LARGE)).isEqualTo(LARGE);
            assertThat(expandNode(claim, LARGE)).as("asked again").isEqualTo(LARGE);
            open.write(ByteBuffer.wrap(" and after".getBytes(StandardCharsets.US_ASCII)));
        }
        assertThat(total(path)).isBetween(USABLE, LARGE);
        assertThat(path.resolve("log")).hasContent("before and after");
        claim.release("pod");
        claim.delete();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs"})
    void aFilesystemThatGrewWhileNobodyUsedItFillsItsVolumeWhenItIsStaged(String filesystem) throws IOException {
        var claim = rig.claim("offline-" + filesystem, SMALL, CsiClient.mounted(filesystem));
        Files.writeString(claim.use("pod").resolve("note"), "kept");
        claim.release("pod");
        expandController(claim, LARGE);
        Path path = claim.use("pod");
        assertThat(total(path)).isBetween(USABLE, LARGE);
        assertThat(path.resolve("note")).hasContent("kept");
        assertThat(expandNode(claim, LARGE)).isEqualTo(LARGE);
        claim.release("pod");
        claim.delete();
    }

    /** Without the capability the kernel does not let ext4 grow in use; the driver says so, and staging it again is enough. */
    @Test
    void ext4InUseGrowsOrTheDriverSaysWhatItLacks() throws IOException {
        var claim = rig.claim("ext4", SMALL, CsiClient.mounted("ext4"));
        Path path = claim.use("pod");
        Files.writeString(path.resolve("note"), "kept");
        expandController(claim, LARGE);
        if (mayGrowExt4InUse()) {
            assertThat(expandNode(claim, LARGE)).isEqualTo(LARGE);
        } else {
            Refused.with(Status.Code.FAILED_PRECONDITION, () -> expandNode(claim, LARGE))
                    .contains(claim.id(), "CAP_SYS_RESOURCE", "staged again");
            // A repeated staging is not refused for it: the volume is as usable as it was.
            claim.stage();
            Files.writeString(path.resolve("more"), "still writable");
            claim.release("pod");
            claim.use("pod");
            assertThat(expandNode(claim, LARGE)).isEqualTo(LARGE);
        }
        assertThat(total(path)).isBetween(USABLE, LARGE);
        assertThat(path.resolve("note")).hasContent("kept");
        claim.release("pod");
        claim.delete();
    }

    private static boolean mayGrowExt4InUse() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(text -> text.startsWith("CapEff:"))
                .findAny()
                .orElseThrow();
        long capabilities =
                Long.parseUnsignedLong(line.substring("CapEff:".length()).strip(), 16);
        return (capabilities >> CAP_SYS_RESOURCE & 1) == 1;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs"})
    void aCloneLargerThanItsSourceIsFilledWhenItIsStaged(String filesystem) throws IOException {
        var capability = CsiClient.mounted(filesystem);
        var source = rig.claim("source-" + filesystem, SMALL, capability);
        Files.writeString(source.use("pod").resolve("note"), "copied");
        var clone = cloneOf(source, capability);
        Path path = clone.use("clone-pod");
        assertThat(path.resolve("note")).hasContent("copied");
        assertThat(total(path)).isBetween(USABLE, LARGE);
        assertThat(total(source.target("pod"))).isLessThanOrEqualTo(SMALL);
        clone.release("clone-pod");
        clone.delete();
        source.release("pod");
        source.delete();
    }

    private Claim cloneOf(Claim source, VolumeCapability capability) {
        var volume = rig.csi()
                .controller()
                .createVolume(Claim.request("clone-of-" + source.id(), LARGE, capability, Map.of()).toBuilder()
                        .setVolumeContentSource(PoolKindsTest.ofVolume(source.id()))
                        .build())
                .getVolume();
        return new Claim(rig.csi(), rig.workspace(), volume, capability);
    }

    @Test
    void aRawDeviceHasTheSizeThatWasAskedForKeepsItsDataAndGrowsInUse() throws IOException {
        var claim = rig.claim("raw", 64 * Claim.MIB, CsiClient.block());
        Path device = claim.use("pod");
        try (var channel = FileChannel.open(device, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertThat(channel.size()).isEqualTo(64 * Claim.MIB);
            channel.write(ByteBuffer.wrap("at the end".getBytes(StandardCharsets.US_ASCII)), 64 * Claim.MIB - 10);
            expandController(claim, 128 * Claim.MIB);
            assertThat(expandNode(claim, 128 * Claim.MIB)).isEqualTo(128 * Claim.MIB);
            channel.write(ByteBuffer.wrap("new end".getBytes(StandardCharsets.US_ASCII)), 128 * Claim.MIB - 7);
        }
        claim.release("pod");
        rig.restart();
        claim = claim.through(rig.csi());
        try (var channel = FileChannel.open(claim.use("pod"), StandardOpenOption.READ)) {
            assertThat(channel.size()).isEqualTo(128 * Claim.MIB);
            assertThat(text(channel, 64 * Claim.MIB - 10, 10)).isEqualTo("at the end");
            assertThat(text(channel, 128 * Claim.MIB - 7, 7)).isEqualTo("new end");
        }
        claim.release("pod");
        claim.delete();
    }

    private static String text(FileChannel channel, long offset, int length) throws IOException {
        var buffer = ByteBuffer.allocate(length);
        channel.read(buffer, offset);
        return new String(buffer.array(), StandardCharsets.US_ASCII);
    }

    @Test
    void theNodeDoesNotTakeASizeThatTheVolumeDoesNotHave() {
        var claim = rig.claim("not-grown", 64 * Claim.MIB, CsiClient.mounted("ext4"));
        claim.use("pod");
        Refused.with(Status.Code.OUT_OF_RANGE, () -> expandNode(claim, LARGE)).contains(claim.id());
        claim.release("pod");
        claim.delete();
    }
}
