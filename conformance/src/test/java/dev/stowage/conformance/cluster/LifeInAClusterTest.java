package dev.stowage.conformance.cluster;

import static dev.stowage.conformance.cluster.Volumes.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.Snapshot;
import csi.v1.Volume;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.kube.local.LocalGroupSnapshot;
import dev.stowage.kube.local.LocalSnapshot;
import dev.stowage.kube.local.LocalVolume;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Everything that a volume can live through, with the controller in one process and the pools in others. */
class LifeInAClusterTest {

    @SuppressWarnings("NullAway.Init")
    private static LocalCluster cluster;

    @BeforeAll
    static void start() {
        cluster = LocalCluster.start("node-a", "node-b");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(cluster.plane().client().resources(LocalVolume.class).list().getItems())
                .isEmpty();
        assertThat(cluster.plane()
                        .client()
                        .resources(LocalSnapshot.class)
                        .list()
                        .getItems())
                .isEmpty();
        assertThat(cluster.plane()
                        .client()
                        .resources(LocalGroupSnapshot.class)
                        .list()
                        .getItems())
                .isEmpty();
        for (String node : new String[] {"node-a", "node-b"}) {
            assertThat(Pools.files(cluster, node)).isEmpty();
        }
    }

    @Test
    void aVolumeIsMadeWhereItIsWantedAndIsGoneWhenItIsDeleted() {
        var csi = cluster.central();
        var volume = Volumes.create(csi, Volumes.request("where", 32 * MIB, "node-b"));
        assertThat(Volumes.nodeOf(volume)).isEqualTo("node-b");
        assertThat(Pools.files(cluster, "node-b")).containsExactly("volumes/" + volume.getVolumeId());
        assertThat(Volumes.create(csi, Volumes.request("where", 32 * MIB, "node-b")))
                .isEqualTo(volume);
        Refused.with(
                Status.Code.ALREADY_EXISTS, () -> Volumes.create(csi, Volumes.request("where", 64 * MIB, "node-b")));
        Refused.with(
                Status.Code.ALREADY_EXISTS, () -> Volumes.create(csi, Volumes.request("where", 32 * MIB, "node-a")));
        assertThat(Volumes.list(csi)).hasSize(1);
        Volumes.delete(csi, volume.getVolumeId());
        Volumes.delete(csi, volume.getVolumeId());
        assertThat(Volumes.list(csi)).isEmpty();
    }

    @Test
    void anEmptyVolumeGoesToTheNodeThatTheSchedulerSelectedAndNowhereElse() {
        var csi = cluster.central();
        claim("waiting", "node-b");
        claim("lost", "node-c");
        var volume =
                Volumes.create(csi, forClaim("waiting", Volumes.request("selected", 32 * MIB, "node-a", "node-b")));
        assertThat(Volumes.nodeOf(volume)).isEqualTo("node-b");
        Refused.with(
                        Status.Code.RESOURCE_EXHAUSTED,
                        () -> Volumes.create(
                                csi, forClaim("lost", Volumes.request("nowhere", 32 * MIB, "node-a", "node-b"))))
                .contains("node-c", "by the scheduler");
        var unknown =
                Volumes.create(csi, forClaim("unknown", Volumes.request("unknown", 32 * MIB, "node-a", "node-b")));
        assertThat(Volumes.nodeOf(unknown)).isEqualTo("node-a");
        var copy = Volumes.create(
                csi,
                forClaim("waiting", Volumes.request("copy", 32 * MIB, "node-b", "node-a"))
                        .setVolumeContentSource(Volumes.copyOf(unknown)));
        assertThat(Volumes.nodeOf(copy)).isEqualTo("node-a");
        for (var made : new Volume[] {copy, unknown, volume}) {
            Volumes.delete(csi, made.getVolumeId());
        }
    }

    private static CreateVolumeRequest.Builder forClaim(String name, CreateVolumeRequest.Builder request) {
        return request.putParameters("csi.storage.k8s.io/pvc/namespace", "default")
                .putParameters("csi.storage.k8s.io/pvc/name", name);
    }

    private static void claim(String name, String selectedNode) {
        var _ = cluster.plane()
                .client()
                .resource("""
                        apiVersion: v1
                        kind: PersistentVolumeClaim
                        metadata:
                          namespace: default
                          name: %s
                          annotations: {volume.kubernetes.io/selected-node: %s}
                        spec:
                          accessModes: [ReadWriteOnce]
                          resources: {requests: {storage: 32Mi}}
                        """.formatted(name, selectedNode))
                .create();
    }

    @Test
    void copiesAreMadeWhereTheirSourceIs() {
        var csi = cluster.central();
        var volume = Volumes.create(csi, Volumes.request("source", 32 * MIB, "node-b"));
        var snapshot = Volumes.snapshot(csi, "snapshot", volume.getVolumeId());
        var restored = Volumes.create(
                csi, Volumes.request("restored", 32 * MIB).setVolumeContentSource(Volumes.copyOf(snapshot)));
        var copy =
                Volumes.create(csi, Volumes.request("copy", 64 * MIB).setVolumeContentSource(Volumes.copyOf(volume)));
        assertThat(Volumes.nodeOf(restored)).isEqualTo("node-b");
        assertThat(Volumes.nodeOf(copy)).isEqualTo("node-b");
        Refused.with(
                Status.Code.RESOURCE_EXHAUSTED,
                () -> Volumes.create(
                        csi,
                        Volumes.request("elsewhere", 32 * MIB, "node-a")
                                .setVolumeContentSource(Volumes.copyOf(volume))));
        Volumes.deleteSnapshot(csi, snapshot.getSnapshotId());
        for (var made : new Volume[] {volume, restored, copy}) {
            Volumes.delete(csi, made.getVolumeId());
        }
    }

    @Test
    void aVolumeGrowsAndChangesAndIsAttachedAndDetached() {
        var csi = cluster.central();
        var volume = Volumes.create(csi, Volumes.request("changes", 32 * MIB, "node-a"));
        var grown = csi.controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(64 * MIB))
                        .build());
        assertThat(grown.getCapacityBytes()).isEqualTo(64 * MIB);
        assertThat(grown.getNodeExpansionRequired()).isTrue();
        var change = ControllerModifyVolumeRequest.newBuilder().setVolumeId(volume.getVolumeId());
        var _ = csi.controller()
                .controllerModifyVolume(
                        change.putModifiableParameters("readAheadKiB", "512").build());
        Refused.with(Status.Code.NOT_FOUND, () -> Volumes.attach(csi, volume, "node-b"));
        Volumes.attach(csi, volume, "node-a");
        Volumes.attach(csi, volume, "node-a");
        assertThat(Volumes.list(csi).getFirst().getStatus().getPublishedNodeIdsList())
                .containsExactly("node-a");
        Refused.with(Status.Code.FAILED_PRECONDITION, () -> Volumes.delete(csi, volume.getVolumeId()));
        Volumes.detach(csi, volume, "node-a");
        assertThat(Volumes.list(csi).getFirst().getStatus().getPublishedNodeIdsList())
                .isEmpty();
        Volumes.delete(csi, volume.getVolumeId());
    }

    @Test
    void aGroupIsOfOneNode() {
        var csi = cluster.central();
        var one = Volumes.create(csi, Volumes.request("one", 32 * MIB, "node-a"));
        var two = Volumes.create(csi, Volumes.request("two", 32 * MIB, "node-a"));
        var far = Volumes.create(csi, Volumes.request("far", 32 * MIB, "node-b"));
        var across = CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName("across")
                .addSourceVolumeIds(one.getVolumeId())
                .addSourceVolumeIds(far.getVolumeId())
                .build();
        Refused.with(Status.Code.FAILED_PRECONDITION, () -> csi.groups().createVolumeGroupSnapshot(across))
                .contains("node-a")
                .contains("node-b");
        var group = csi.groups()
                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName("together")
                        .addSourceVolumeIds(one.getVolumeId())
                        .addSourceVolumeIds(two.getVolumeId())
                        .build())
                .getGroupSnapshot();
        assertThat(group.getSnapshotsList()).hasSize(2);
        assertThat(csi.controller()
                        .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                        .getEntriesList())
                .hasSize(2);
        var members =
                group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList();
        assertThat(csi.groups()
                        .getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest.newBuilder()
                                .setGroupSnapshotId(group.getGroupSnapshotId())
                                .addAllSnapshotIds(members)
                                .build())
                        .getGroupSnapshot())
                .isEqualTo(group);
        Refused.with(Status.Code.INVALID_ARGUMENT, () -> Volumes.deleteSnapshot(csi, members.getFirst()));
        var restored = Volumes.create(
                csi,
                Volumes.request("from-member", 32 * MIB).setVolumeContentSource(Volumes.copyOf(group.getSnapshots(0))));
        assertThat(Volumes.nodeOf(restored)).isEqualTo("node-a");
        var _ = csi.groups()
                .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(group.getGroupSnapshotId())
                        .addAllSnapshotIds(members)
                        .build());
        for (var made : new Volume[] {one, two, far, restored}) {
            Volumes.delete(csi, made.getVolumeId());
        }
    }

    @Test
    void aFullPoolIsPassedOverAndRefusesOnlyWhatMayBeNowhereElse() {
        var csi = cluster.central();
        long most = Volumes.capacity(csi, "node-a") / MIB / 10 * 9;
        var first = Volumes.create(csi, Volumes.request("first", most * MIB, "node-a", "node-b"));
        assertThat(Volumes.nodeOf(first)).isEqualTo("node-a");
        // The node's own account may be a moment behind; its refusal is not.
        var second = Volumes.create(csi, Volumes.request("second", most * MIB, "node-a", "node-b"));
        assertThat(Volumes.nodeOf(second)).isEqualTo("node-b");
        Refused.with(
                Status.Code.RESOURCE_EXHAUSTED,
                () -> Volumes.create(csi, Volumes.request("third", most * MIB, "node-a")));
        Volumes.delete(csi, second.getVolumeId());
        var third = persistently(() -> Volumes.create(csi, Volumes.request("third", most * MIB, "node-b")));
        assertThat(Volumes.nodeOf(third)).isEqualTo("node-b");
        Volumes.delete(csi, first.getVolumeId());
        Volumes.delete(csi, third.getVolumeId());
    }

    /** A pool's account follows its content within a moment. */
    private static Volume persistently(Supplier<Volume> create) {
        var made = new AtomicReference<@Nullable Volume>();
        LocalCluster.await("there is room", () -> {
            try {
                made.set(create.get());
                return true;
            } catch (StatusRuntimeException full) {
                return false;
            }
        });
        return Objects.requireNonNull(made.get());
    }

    @Test
    void aVolumeInUseIsNotDeletedAndStaysAsItWas() {
        var csi = cluster.central();
        var node = cluster.member("node-a").csi().node();
        var volume = Volumes.create(csi, Volumes.request("used", 32 * MIB, "node-a"));
        Volumes.attach(csi, volume, "node-a");
        String staging = cluster.workspace().directory("staging").toString();
        var _ = node.nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging)
                .setVolumeCapability(CsiClient.mounted("ext4"))
                .putAllVolumeContext(volume.getVolumeContextMap())
                .build());
        Volumes.detach(csi, volume, "node-a");
        Refused.with(Status.Code.FAILED_PRECONDITION, () -> Volumes.delete(csi, volume.getVolumeId()))
                .contains("still in use");
        assertThat(Volumes.create(csi, Volumes.request("used", 32 * MIB, "node-a")))
                .isEqualTo(volume);
        Volumes.attach(csi, volume, "node-a");
        Volumes.detach(csi, volume, "node-a");
        var _ = node.nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging)
                .build());
        Volumes.delete(csi, volume.getVolumeId());
    }

    @Test
    void aVolumeThatFitsNowhereLeavesNothing() {
        var csi = cluster.central();
        Refused.with(
                        Status.Code.RESOURCE_EXHAUSTED,
                        () -> Volumes.create(csi, Volumes.request("huge", 100_000 * MIB, "node-a", "node-b")))
                .contains("node-a")
                .contains("node-b");
    }

    @Test
    void allProcessesTellTheSameAbilities() {
        var asked = GetPluginCapabilitiesRequest.getDefaultInstance();
        var told = cluster.central().identity().getPluginCapabilities(asked);
        assertThat(cluster.member("node-a").csi().identity().getPluginCapabilities(asked))
                .isEqualTo(told);
        assertThat(told.toString())
                .contains("GROUP_CONTROLLER_SERVICE")
                .contains("VOLUME_ACCESSIBILITY_CONSTRAINTS")
                .doesNotContain("SNAPSHOT_METADATA_SERVICE");
    }
}
