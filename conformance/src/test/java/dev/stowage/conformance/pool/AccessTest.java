package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.VolumeCapability;
import csi.v1.VolumeCapability.AccessMode.Mode;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may use a volume, how, and how many there may be. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {

    private static final long SIZE = 32 * Claim.MIB;
    private static final int LIMIT = 3;

    private final Rig rig = Rig.with(options -> options.sharingBlocks("1Gi").with("--attach-limit", "" + LIMIT));

    @AfterAll
    void end() {
        rig.close();
    }

    private static VolumeCapability as(VolumeCapability capability, Mode mode) {
        return capability.toBuilder().setAccessMode(CsiClient.mode(mode)).build();
    }

    private Claim as(Claim claim, Mode mode) {
        return new Claim(claim.csi(), claim.workspace(), claim.volume(), as(claim.capability(), mode));
    }

    @Test
    void noMoreVolumesAreAttachedThanTheNodeSays() {
        assertThat(rig.csi()
                        .node()
                        .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                        .getMaxVolumesPerNode())
                .isEqualTo(LIMIT);
        var claims = new ArrayList<Claim>();
        for (int i = 0; i < LIMIT; i++) {
            var claim = rig.claim("attached-" + i, SIZE, CsiClient.block());
            claim.attach();
            claim.attach();
            claims.add(claim);
        }
        var oneMore = rig.claim("one-more", SIZE, CsiClient.block());
        Refused.with(Status.Code.RESOURCE_EXHAUSTED, oneMore::attach).contains(RunningDriver.NODE);
        rig.restart();
        Refused.with(Status.Code.RESOURCE_EXHAUSTED, oneMore.through(rig.csi())::attach);
        claims.getFirst().through(rig.csi()).detach();
        oneMore.through(rig.csi()).attach();
        claims.add(oneMore);
        for (Claim claim : claims) {
            claim.through(rig.csi()).detach();
            claim.through(rig.csi()).delete();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"SINGLE_NODE_SINGLE_WRITER", "SINGLE_NODE_WRITER"})
    void aSingleWriterHasOneTargetOnly(Mode mode) {
        var claim = rig.claim("single", SIZE, as(CsiClient.mounted("ext4"), mode));
        claim.use("pod-1");
        Refused.with(Status.Code.FAILED_PRECONDITION, () -> claim.publish("pod-2"))
                .contains(mode.name(), claim.target("pod-1").toString());
        claim.publish("pod-1");
        claim.unpublish("pod-1");
        claim.publish("pod-2");
        claim.release("pod-2");
        claim.delete();
    }

    @Test
    void severalWritersOfOneNodeSeeEachOther() throws IOException {
        var claim = rig.claim("multi", SIZE, as(CsiClient.mounted("ext4"), Mode.SINGLE_NODE_MULTI_WRITER));
        Files.writeString(claim.use("pod-1").resolve("one"), "1");
        Files.writeString(claim.publish("pod-2").resolve("two"), "2");
        assertThat(claim.target("pod-2").resolve("one")).hasContent("1");
        assertThat(claim.target("pod-1").resolve("two")).hasContent("2");
        claim.unpublish("pod-2");
        claim.release("pod-1");
        claim.delete();
    }

    @Test
    void aReaderCannotWrite() throws IOException {
        var writer = rig.claim("reader", SIZE, as(CsiClient.mounted("ext4"), Mode.SINGLE_NODE_MULTI_WRITER));
        Files.writeString(writer.use("pod").resolve("note"), "written before");
        Path alsoMounted = writerWithReadOnlyTarget(writer);
        assertThatThrownBy(() -> Files.writeString(alsoMounted.resolve("note"), "no"))
                .isInstanceOf(IOException.class);
        writer.unpublish("reading-pod");
        writer.release("pod");
        var reader = as(writer, Mode.SINGLE_NODE_READER_ONLY);
        Path path = reader.use("pod");
        assertThat(path.resolve("note")).hasContent("written before");
        assertThatThrownBy(() -> Files.writeString(path.resolve("note"), "no")).isInstanceOf(IOException.class);
        reader.release("pod");
        writer.delete();
    }

    private static Path writerWithReadOnlyTarget(Claim claim) {
        claim.csi()
                .node()
                .nodePublishVolume(claim.publishRequest("reading-pod").toBuilder()
                        .setReadonly(true)
                        .build());
        return claim.target("reading-pod");
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"MULTI_NODE_READER_ONLY", "MULTI_NODE_SINGLE_WRITER", "MULTI_NODE_MULTI_WRITER"})
    void modesForSeveralNodesAreRefused(Mode mode) {
        Refused.with(
                        Status.Code.INVALID_ARGUMENT,
                        () -> rig.claim("several", SIZE, as(CsiClient.mounted("ext4"), mode)))
                .contains(mode.name());
        var claim = rig.claim("one-node", SIZE, CsiClient.mounted("ext4"));
        var answer = rig.csi()
                .controller()
                .validateVolumeCapabilities(ValidateVolumeCapabilitiesRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .addVolumeCapabilities(as(CsiClient.mounted("ext4"), mode))
                        .build());
        assertThat(answer.hasConfirmed()).isFalse();
        assertThat(answer.getMessage()).contains(mode.name());
        claim.delete();
    }

    private void attachReadOnlyAndUse(Claim claim) {
        var context = rig.csi()
                .controller()
                .controllerPublishVolume(
                        claim.attachRequest().toBuilder().setReadonly(true).build())
                .getPublishContextMap();
        rig.csi()
                .node()
                .nodeStageVolume(claim.stageRequest().toBuilder()
                        .putAllPublishContext(context)
                        .build());
        rig.csi()
                .node()
                .nodePublishVolume(claim.publishRequest("pod").toBuilder()
                        .putAllPublishContext(context)
                        .build());
    }

    @Test
    void aFilesystemAttachedForReadingIsReadOnlyOnTheNode() throws IOException {
        var claim = rig.claim("read-only", SIZE, CsiClient.mounted("ext4"));
        Files.writeString(claim.use("pod").resolve("note"), "written before");
        claim.release("pod");
        attachReadOnlyAndUse(claim);
        assertThat(claim.target("pod").resolve("note")).hasContent("written before");
        for (Path path : List.of(claim.target("pod"), claim.staging())) {
            assertThatThrownBy(() -> Files.writeString(path.resolve("note"), "no"))
                    .isInstanceOf(IOException.class);
        }
        claim.release("pod");
        claim.delete();
    }

    @Test
    void aRawDeviceAttachedForReadingCannotBeWrittenTo() throws IOException {
        var claim = rig.claim("read-only-raw", SIZE, CsiClient.block());
        attachReadOnlyAndUse(claim);
        assertThatThrownBy(() -> {
                    try (var channel = FileChannel.open(claim.target("pod"), StandardOpenOption.WRITE)) {
                        channel.write(ByteBuffer.allocate(4096), 0);
                        channel.force(true);
                    }
                })
                .isInstanceOf(IOException.class);
        try (var channel = FileChannel.open(claim.target("pod"), StandardOpenOption.READ)) {
            assertThat(channel.size()).isEqualTo(SIZE);
        }
        claim.release("pod");
        claim.delete();
    }

    @Test
    void whereAVolumeIsPublishedIsToldByGetAndByList() {
        var claim = rig.claim("published", SIZE, CsiClient.mounted("ext4"));
        assertThat(publishedByGet(claim)).isEmpty();
        claim.attach();
        assertThat(publishedByGet(claim)).containsExactly(RunningDriver.NODE);
        assertThat(publishedByList(claim)).containsExactly(RunningDriver.NODE);
        claim.detach();
        assertThat(publishedByGet(claim)).isEmpty();
        assertThat(publishedByList(claim)).isEmpty();
        claim.delete();
    }

    private List<String> publishedByGet(Claim claim) {
        return rig.csi()
                .controller()
                .controllerGetVolume(ControllerGetVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .build())
                .getStatus()
                .getPublishedNodeIdsList();
    }

    private List<String> publishedByList(Claim claim) {
        return rig.csi().controller().listVolumes(ListVolumesRequest.getDefaultInstance()).getEntriesList().stream()
                .filter(entry -> entry.getVolume().getVolumeId().equals(claim.id()))
                .flatMap(entry -> entry.getStatus().getPublishedNodeIdsList().stream())
                .toList();
    }
}
