package dev.stowage.driver.controller;

import static dev.stowage.driver.testing.TestingDriver.code;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerListVolumeHealthRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.GetSnapshotRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.VolumeCapability.MountVolume;
import csi.v1.VolumeContentSource;
import csi.v1.VolumeHealth.VolumeHealthEntry;
import csi.v1.VolumeHealthErrorType;
import dev.stowage.core.backend.Attachments;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.driver.message.Requests;
import dev.stowage.driver.testing.Capabilities;
import dev.stowage.driver.testing.TestingBackend;
import dev.stowage.driver.testing.TestingDriver;
import io.grpc.Status.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControllerServiceTest {

    private static final VolumeUse BLOCK = new VolumeUse(new VolumeUse.Block(), AccessMode.SINGLE_NODE_WRITER);

    private TestingDriver driver;
    private TestingBackend backend;

    @BeforeEach
    void start() {
        driver = TestingDriver.complete();
        backend = driver.backend;
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    @Test
    void theWholeWishForAVolumeReachesTheBackend() {
        var place = Topology.newBuilder().putSegments("zone", "a");
        var volume = driver.controller()
                .createVolume(CreateVolumeRequest.newBuilder()
                        .setName("pvc-1")
                        .setCapacityRange(
                                CapacityRange.newBuilder().setRequiredBytes(10).setLimitBytes(20))
                        .addVolumeCapabilities(Capabilities.mount(MountVolume.newBuilder()
                                .setFsType("xfs")
                                .addMountFlags("noatime")
                                .setVolumeMountGroup("4294967294")
                                .build()))
                        .addVolumeCapabilities(Capabilities.block())
                        .putParameters("pool", "p")
                        .putModifiableParameters("speed", "fast")
                        .putSecrets("password", "hidden")
                        .setVolumeContentSource(VolumeContentSource.newBuilder()
                                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                        .setSnapshotId("snap-1")))
                        .setAccessibilityRequirements(TopologyRequirement.newBuilder()
                                .addRequisite(place)
                                .addPreferred(place))
                        .build())
                .getVolume();

        var zone = new dev.stowage.core.volume.Topology(Map.of("zone", "a"));
        assertThat(backend.lastReceived())
                .isEqualTo(new Volumes.Wanted(
                        new RequestName("pvc-1"),
                        new SizeRange(10, 20),
                        List.of(
                                new VolumeUse(
                                        new VolumeUse.Mount("xfs", List.of("noatime"), Optional.of(-2)),
                                        AccessMode.SINGLE_NODE_WRITER),
                                BLOCK),
                        Map.of("pool", "p"),
                        Map.of("speed", "fast"),
                        Optional.of(new ContentSource.OfSnapshot(new SnapshotId("snap-1"))),
                        new dev.stowage.core.volume.TopologyRequirement(List.of(zone), List.of(zone))));
        assertThat(volume.getVolumeId()).isEqualTo("vol-pvc-1");
        assertThat(volume.getCapacityBytes()).isEqualTo(10);
        assertThat(volume.getVolumeContextMap()).containsOnly(Map.entry("pool", "p"));
        assertThat(volume.getContentSource().getSnapshot().getSnapshotId()).isEqualTo("snap-1");
        assertThat(volume.getAccessibleTopologyList())
                .containsExactly(Topology.newBuilder()
                        .putSegments("stowage.dev/node", "node-1")
                        .build());
    }

    @Test
    void aVolumeIsDeleted() {
        var volume = backend.addVolume("a");
        driver.controller()
                .deleteVolume(
                        DeleteVolumeRequest.newBuilder().setVolumeId("vol-a").build());
        assertThat(backend.volumes).doesNotContainKey(volume.id());
    }

    @Test
    void publishingTellsTheBackendAllAndTheCallerItsContext() {
        backend.addVolume("a");
        var answer = driver.controller()
                .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId("vol-a")
                        .setNodeId("node-1")
                        .setVolumeCapability(Capabilities.block())
                        .setReadonly(true)
                        .putVolumeContext("pool", "p")
                        .build());
        assertThat(answer.getPublishContextMap()).containsOnly(Map.entry("device", "d1"));
        assertThat(backend.lastReceived())
                .isEqualTo(new Attachments.Wanted(
                        new VolumeId("vol-a"), new NodeId("node-1"), BLOCK, true, Map.of("pool", "p")));
    }

    @Test
    void unpublishingWithoutANodeMeansEveryNode() {
        var request = ControllerUnpublishVolumeRequest.newBuilder().setVolumeId("vol-a");
        driver.controller().controllerUnpublishVolume(request.build());
        assertThat(backend.lastReceived()).isEqualTo(Optional.empty());
        driver.controller().controllerUnpublishVolume(request.setNodeId("n").build());
        assertThat(backend.lastReceived()).isEqualTo(Optional.of(new NodeId("n")));
    }

    @Test
    void aConfirmationRepeatsWhatWasAsked() {
        backend.addVolume("a");
        var request = ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId("vol-a")
                .addVolumeCapabilities(Capabilities.mount())
                .putVolumeContext("pool", "p")
                .putParameters("k", "v")
                .putModifiableParameters("m", "w")
                .build();
        var confirmed = driver.controller().validateVolumeCapabilities(request).getConfirmed();
        assertThat(confirmed.getVolumeCapabilitiesList()).containsExactly(Capabilities.mount());
        assertThat(confirmed.getVolumeContextMap()).isEqualTo(request.getVolumeContextMap());
        assertThat(confirmed.getParametersMap()).isEqualTo(request.getParametersMap());
        assertThat(confirmed.getModifiableParametersMap()).isEqualTo(request.getModifiableParametersMap());
    }

    @Test
    void anObjectionIsAMessageWithoutConfirmation() {
        backend.addVolume("a");
        backend.objection = Optional.of("only one node can write");
        var answer = driver.controller()
                .validateVolumeCapabilities(ValidateVolumeCapabilitiesRequest.newBuilder()
                        .setVolumeId("vol-a")
                        .addVolumeCapabilities(Capabilities.mount())
                        .build());
        assertThat(answer.hasConfirmed()).isFalse();
        assertThat(answer.getMessage()).isEqualTo("only one node can write");
    }

    @Test
    void pagesTogetherAreTheWholeListWithThePublishedNodes() {
        for (int i = 0; i < 7; i++) {
            backend.addVolume("v" + i);
        }
        backend.attach(new Attachments.Wanted(new VolumeId("vol-v3"), new NodeId("n"), BLOCK, false, Map.of()));
        var entries = new ArrayList<ListVolumesResponse.Entry>();
        String token = "";
        do {
            var page = driver.controller()
                    .listVolumes(ListVolumesRequest.newBuilder()
                            .setMaxEntries(3)
                            .setStartingToken(token)
                            .build());
            assertThat(page.getEntriesCount()).isLessThanOrEqualTo(3);
            entries.addAll(page.getEntriesList());
            token = page.getNextToken();
        } while (!token.isEmpty());
        assertThat(entries)
                .extracting(entry -> entry.getVolume().getVolumeId())
                .containsExactly("vol-v0", "vol-v1", "vol-v2", "vol-v3", "vol-v4", "vol-v5", "vol-v6");
        assertThat(entries.get(3).getStatus().getPublishedNodeIdsList()).containsExactly("n");
        assertThat(entries.get(4).getStatus().getPublishedNodeIdsList()).isEmpty();
    }

    @Test
    void aListingWithoutABoundComesInAnswersThatEveryClientAccepts() {
        int present = Requests.MOST_ENTRIES + 1;
        for (int i = 0; i < present; i++) {
            backend.addVolume("v" + i);
        }
        for (int most : new int[] {0, Integer.MAX_VALUE}) {
            var first = driver.controller()
                    .listVolumes(
                            ListVolumesRequest.newBuilder().setMaxEntries(most).build());
            assertThat(first.getEntriesCount()).isEqualTo(Requests.MOST_ENTRIES);
            var second = driver.controller()
                    .listVolumes(ListVolumesRequest.newBuilder()
                            .setMaxEntries(most)
                            .setStartingToken(first.getNextToken())
                            .build());
            assertThat(second.getEntriesCount()).isEqualTo(1);
            assertThat(second.getNextToken()).isEmpty();
        }
    }

    @Test
    void aTokenThatWasNotGivenOutIsAborted() {
        assertThat(code(() -> driver.controller()
                        .listVolumes(ListVolumesRequest.newBuilder()
                                .setStartingToken("made up")
                                .build())))
                .isEqualTo(Code.ABORTED);
        assertThat(code(() -> driver.controller()
                        .listSnapshots(ListSnapshotsRequest.newBuilder()
                                .setStartingToken("made up")
                                .build())))
                .isEqualTo(Code.ABORTED);
        assertThat(code(() -> driver.controller()
                        .controllerListVolumeHealth(ControllerListVolumeHealthRequest.newBuilder()
                                .setStartingToken("made up")
                                .build())))
                .isEqualTo(Code.ABORTED);
    }

    @Test
    void oneVolumeIsFoundWithItsNodes() {
        backend.addVolume("a");
        backend.attach(new Attachments.Wanted(new VolumeId("vol-a"), new NodeId("n2"), BLOCK, false, Map.of()));
        backend.attach(new Attachments.Wanted(new VolumeId("vol-a"), new NodeId("n1"), BLOCK, false, Map.of()));
        var answer = driver.controller()
                .controllerGetVolume(ControllerGetVolumeRequest.newBuilder()
                        .setVolumeId("vol-a")
                        .build());
        assertThat(answer.getVolume().getCapacityBytes()).isEqualTo(TestingBackend.SIZE);
        assertThat(answer.getStatus().getPublishedNodeIdsList()).containsExactly("n1", "n2");
    }

    @Test
    void parametersAreModified() {
        driver.controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId("vol-a")
                        .putModifiableParameters("speed", "slow")
                        .build());
        assertThat(backend.lastReceived()).isEqualTo(Map.of("speed", "slow"));
    }

    @Test
    void capacityIsAskedForByUseParametersAndPlace() {
        var answer = driver.controller()
                .getCapacity(GetCapacityRequest.newBuilder()
                        .addVolumeCapabilities(Capabilities.block())
                        .putParameters("k", "v")
                        .setAccessibleTopology(Topology.newBuilder().putSegments("zone", "a"))
                        .build());
        assertThat(answer.getAvailableCapacity()).isEqualTo(100);
        assertThat(answer.getMaximumVolumeSize().getValue()).isEqualTo(50);
        assertThat(answer.getMinimumVolumeSize().getValue()).isEqualTo(1);
        assertThat(backend.lastReceived())
                .isEqualTo(List.of(
                        List.of(BLOCK),
                        Map.of("k", "v"),
                        Optional.of(new dev.stowage.core.volume.Topology(Map.of("zone", "a")))));
    }

    @Test
    void aSnapshotIsMadeFoundAndDeleted() {
        var made = driver.controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setSourceVolumeId("vol-a")
                        .setName("s")
                        .putParameters("k", "v")
                        .build())
                .getSnapshot();
        assertThat(backend.lastReceived())
                .isEqualTo(new Snapshots.Wanted(
                        new RequestName("s"),
                        new VolumeId("vol-a"),
                        Map.of("k", "v"),
                        dev.stowage.core.volume.TopologyRequirement.ANYWHERE));
        assertThat(made.getSnapshotId()).isEqualTo("snap-s");
        assertThat(made.getSourceVolumeId()).isEqualTo("vol-a");
        assertThat(made.getReadyToUse()).isTrue();
        assertThat(made.getSizeBytes()).isEqualTo(TestingBackend.SIZE);
        assertThat(made.getCreationTime().getSeconds()).isEqualTo(TestingBackend.TAKEN.getEpochSecond());
        assertThat(made.getCreationTime().getNanos()).isEqualTo(6);
        assertThat(made.getAccessibleTopologyCount()).isEqualTo(1);

        var get = GetSnapshotRequest.newBuilder().setSnapshotId("snap-s").build();
        assertThat(driver.controller().getSnapshot(get).getSnapshot()).isEqualTo(made);
        driver.controller()
                .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                        .setSnapshotId("snap-s")
                        .build());
        assertThat(code(() -> driver.controller().getSnapshot(get))).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void snapshotsAreListedBySourceByIdAndInPages() {
        backend.addSnapshot("1", new VolumeId("vol-a"));
        backend.addSnapshot("2", new VolumeId("vol-b"));
        backend.addSnapshot("3", new VolumeId("vol-a"));

        assertThat(list(ListSnapshotsRequest.newBuilder())).containsExactly("snap-1", "snap-2", "snap-3");
        assertThat(list(ListSnapshotsRequest.newBuilder().setSourceVolumeId("vol-a")))
                .containsExactly("snap-1", "snap-3");
        assertThat(list(ListSnapshotsRequest.newBuilder().setSnapshotId("snap-2")))
                .containsExactly("snap-2");
        assertThat(list(ListSnapshotsRequest.newBuilder()
                        .setSnapshotId("snap-2")
                        .setSourceVolumeId("vol-a")))
                .isEmpty();
        assertThat(list(ListSnapshotsRequest.newBuilder().setSnapshotId("unknown")))
                .isEmpty();
        assertThat(list(ListSnapshotsRequest.newBuilder().setSourceVolumeId("unknown")))
                .isEmpty();

        var first = driver.controller()
                .listSnapshots(ListSnapshotsRequest.newBuilder()
                        .setMaxEntries(1)
                        .setSourceVolumeId("vol-a")
                        .build());
        assertThat(first.getNextToken()).isNotEmpty();
        assertThat(list(ListSnapshotsRequest.newBuilder()
                        .setSourceVolumeId("vol-a")
                        .setStartingToken(first.getNextToken())))
                .containsExactly("snap-3");
    }

    private List<String> list(ListSnapshotsRequest.Builder request) {
        return driver.controller().listSnapshots(request.build()).getEntriesList().stream()
                .map(entry -> entry.getSnapshot().getSnapshotId())
                .toList();
    }

    @Test
    void growingTellsWhetherTheNodeHasToFollow() {
        backend.addVolume("a");
        var answer = driver.controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId("vol-a")
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(5))
                        .setVolumeCapability(Capabilities.block())
                        .build());
        assertThat(answer.getCapacityBytes()).isEqualTo(5);
        assertThat(answer.getNodeExpansionRequired()).isTrue();
        assertThat(backend.lastReceived())
                .isEqualTo(List.of(new VolumeId("vol-a"), SizeRange.atLeast(5), Optional.of(BLOCK)));
    }

    @Test
    void healthIsToldByVolumeAndListedInPages() {
        backend.addVolume("well");
        for (String name : List.of("a", "b", "c")) {
            backend.makeAiling(
                    backend.addVolume(name).id(),
                    new HealthIssue(HealthIssue.Status.DEGRADED, "Slow", "it is slow"),
                    new HealthIssue(HealthIssue.Status.INACCESSIBLE, "Gone", "it is gone"),
                    new HealthIssue(HealthIssue.Status.DATA_LOSS, "Lost", "it is lost"));
        }
        assertThat(health("vol-well").getHealthStatusesList()).isEmpty();
        assertThat(health("vol-a").getHealthStatusesList())
                .extracting(VolumeHealthEntry::getStatus, VolumeHealthEntry::getReason)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(VolumeHealthErrorType.DEGRADED, "Slow"),
                        org.assertj.core.groups.Tuple.tuple(VolumeHealthErrorType.INACCESSIBLE, "Gone"),
                        org.assertj.core.groups.Tuple.tuple(VolumeHealthErrorType.DATA_LOSS, "Lost"));
        assertThat(code(() -> health("vol-none"))).isEqualTo(Code.NOT_FOUND);

        var first = driver.controller()
                .controllerListVolumeHealth(ControllerListVolumeHealthRequest.newBuilder()
                        .setMaxEntries(2)
                        .build());
        assertThat(first.getEntriesList())
                .extracting(csi.v1.VolumeHealth::getVolumeId)
                .containsExactly("vol-a", "vol-b");
        var second = driver.controller()
                .controllerListVolumeHealth(ControllerListVolumeHealthRequest.newBuilder()
                        .setMaxEntries(2)
                        .setStartingToken(first.getNextToken())
                        .build());
        assertThat(second.getEntriesList())
                .extracting(csi.v1.VolumeHealth::getVolumeId)
                .containsExactly("vol-c");
        assertThat(second.getNextToken()).isEmpty();
    }

    private csi.v1.VolumeHealth health(String volume) {
        return driver.controller()
                .controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(volume)
                        .build())
                .getVolumeHealth();
    }
}
