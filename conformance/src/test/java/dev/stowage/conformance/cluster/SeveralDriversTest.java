package dev.stowage.conformance.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.ListSnapshotsRequest;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.kube.Digest;
import dev.stowage.kube.local.LocalPool;
import dev.stowage.kube.local.LocalResources;
import dev.stowage.kube.local.LocalSnapshot;
import dev.stowage.kube.local.LocalVolume;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drivers of several names in one cluster, on the same nodes: each has its own, and none touches what is another's. */
@SuppressWarnings("NullAway.Init")
class SeveralDriversTest {

    private static final String DEFAULT = "local.stowage.dev";

    private static Workspace workspace;
    private static ControlPlane plane;
    private static Labels labels;

    private NamedDriver ours;
    private NamedDriver weka;

    @BeforeAll
    static void startPlane() {
        workspace = Workspace.create();
        plane = ControlPlane.start(workspace.directory("plane"));
        labels = new Labels(plane.client());
    }

    @AfterAll
    static void stopPlane() {
        plane.close();
        workspace.close();
    }

    @BeforeEach
    void startDrivers() {
        ours = driver(DEFAULT).withNode("node-a").withController();
        weka = driver("csi.weka.io").withNode("node-a").withController();
    }

    private static NamedDriver driver(String name) {
        return new NamedDriver(workspace, plane, name);
    }

    @AfterEach
    void nothingIsLeft() {
        ours.close();
        weka.close();
        assertThat(plane.client().resources(LocalVolume.class).list().getItems())
                .extracting(volume -> volume.getSpec().name())
                .isEmpty();
        assertThat(plane.client().resources(LocalSnapshot.class).list().getItems())
                .extracting(snapshot -> snapshot.getSpec().name())
                .isEmpty();
        assertThat(ours.files("node-a")).isEmpty();
        assertThat(weka.files("node-a")).isEmpty();
    }

    @Test
    void thingsOfTheSameNameAreTwoAndOneGoesWithoutTheOther() {
        var one = ours.create("same", "node-a");
        var two = weka.create("same", "node-a");
        var firstSnapshot = Volumes.snapshot(ours.csi(), "same", one.getVolumeId());
        var secondSnapshot = Volumes.snapshot(weka.csi(), "same", two.getVolumeId());
        assertThat(ours.volumes()).containsExactly(one.getVolumeId());
        assertThat(weka.volumes()).containsExactly(two.getVolumeId());
        assertThat(ours.files("node-a")).containsExactly(one.getVolumeId());
        assertThat(weka.files("node-a")).containsExactly(two.getVolumeId());
        assertThat(labels.volumes("same"))
                .extracting(Labels::driver)
                .containsExactlyInAnyOrder(Optional.of(DEFAULT), Optional.of("csi.weka.io"));
        assertThat(labels.snapshots("same"))
                .extracting(Labels::driver)
                .containsExactlyInAnyOrder(Optional.of(DEFAULT), Optional.of("csi.weka.io"));
        assertThat(ours.create("same", "node-a")).isEqualTo(one);
        assertThat(weka.create("same", "node-a")).isEqualTo(two);

        Volumes.deleteSnapshot(ours.csi(), firstSnapshot.getSnapshotId());
        ours.delete(one);
        assertThat(ours.volumes()).isEmpty();
        assertThat(ours.files("node-a")).isEmpty();
        assertThat(weka.volumes()).containsExactly(two.getVolumeId());
        assertThat(weka.files("node-a")).containsExactly(two.getVolumeId());
        assertThat(weka.csi()
                        .controller()
                        .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                        .getEntriesList())
                .singleElement()
                .satisfies(entry ->
                        assertThat(entry.getSnapshot().getSnapshotId()).isEqualTo(secondSnapshot.getSnapshotId()));
        Volumes.deleteSnapshot(weka.csi(), secondSnapshot.getSnapshotId());
        weka.delete(two);
    }

    @Test
    void anotherDriversVolumeDoesNotExist() {
        var theirs = weka.create("theirs", "node-a");
        Refused.with(Status.Code.NOT_FOUND, () -> Volumes.attach(ours.csi(), theirs, "node-a"));
        Refused.with(Status.Code.NOT_FOUND, () -> Volumes.snapshot(ours.csi(), "of-theirs", theirs.getVolumeId()));
        Refused.with(
                Status.Code.NOT_FOUND,
                () -> Volumes.create(
                        ours.csi(), ours.request("copy", "node-a").setVolumeContentSource(Volumes.copyOf(theirs))));
        // To delete what does not exist is fine, and leaves alone what is another's.
        ours.delete(theirs);
        assertThat(weka.volumes()).containsExactly(theirs.getVolumeId());
        assertThat(weka.files("node-a")).containsExactly(theirs.getVolumeId());
        weka.delete(theirs);
    }

    @Test
    void aNodeHasAPoolAndASignOfLifeOfEachDriver() {
        assertThat(labels.pools("node-a")).hasSize(2);
        assertThat(Labels.of(ours, labels.pools("node-a")).getMetadata().getName())
                .isEqualTo("node-a");
        assertThat(Labels.of(weka, labels.pools("node-a")).getStatus().topology())
                .isEqualTo(Map.of("csi.weka.io/node", "node-a"));
        assertThat(plane.client()
                        .leases()
                        .inNamespace("default")
                        .withLabel(LocalResources.DRIVER_LABEL)
                        .list()
                        .getItems())
                .filteredOn(lease -> "node-a".equals(lease.getSpec().getHolderIdentity()))
                .extracting(Labels::driver)
                .contains(Optional.of(DEFAULT), Optional.of("csi.weka.io"));
    }

    @Test
    void aRestartedDriverAdoptsNothingOfTheOther() {
        var one = ours.create("one", "node-a");
        var two = weka.create("two", "node-a");
        for (var restarted : List.of(ours, weka)) {
            restarted.close();
            restarted.withNode("node-a").withController();
        }
        assertThat(ours.volumes()).containsExactly(one.getVolumeId());
        assertThat(weka.volumes()).containsExactly(two.getVolumeId());
        assertThat(labels.volumes("one")).extracting(Labels::driver).containsExactly(Optional.of(DEFAULT));
        assertThat(labels.volumes("two")).extracting(Labels::driver).containsExactly(Optional.of("csi.weka.io"));
        assertThat(labels.pools("node-a")).hasSize(2);
        ours.delete(one);
        weka.delete(two);
    }

    @Test
    void whatHasNoLabelIsAdoptedByTheDriverOfTheDefaultNameAndByNoOther() {
        var volume = ours.create("old", "node-a");
        var snapshot = Volumes.snapshot(ours.csi(), "old", volume.getVolumeId());
        ours.close();
        labels.strip(labels.volumes("old").getFirst());
        labels.strip(labels.snapshots("old").getFirst());
        labels.strip(Labels.of(ours, labels.pools("node-a")));
        var lost = plane.client().resource(order("of-a-lost-node", "node-z")).create();

        weka.close();
        weka.withNode("node-a").withController();
        assertThat(weka.volumes()).isEmpty();
        assertThat(labels.volumes("old")).extracting(Labels::driver).containsExactly(Optional.empty());
        assertThat(labels.snapshots("old")).extracting(Labels::driver).containsExactly(Optional.empty());

        ours.withNode("node-a").withController();
        // What a controller that is ready does not tell would be taken for gone.
        assertThat(ours.volumes()).containsExactly(volume.getVolumeId());
        assertThat(ours.create("old", "node-a")).isEqualTo(volume);
        assertThat(labels.pools("node-a"))
                .extracting(Labels::driver)
                .containsExactlyInAnyOrder(Optional.of(DEFAULT), Optional.of("csi.weka.io"));
        for (List<? extends HasMetadata> adopted :
                List.of(labels.volumes("old"), labels.snapshots("old"), labels.volumes("of-a-lost-node"))) {
            assertThat(adopted).extracting(Labels::driver).containsExactly(Optional.of(DEFAULT));
        }
        remove(lost);
        Volumes.deleteSnapshot(ours.csi(), snapshot.getSnapshotId());
        ours.delete(volume);
    }

    /** While a new version takes the place of an old one, the old one goes on to give orders. */
    @Test
    void whatAnOldControllerOrdersMeanwhileIsAdoptedAndFulfilled() {
        plane.client().resource(order("meanwhile", "node-a")).create();
        LocalCluster.await("the volume is made", () -> ours.volumes().size() == 1);
        assertThat(weka.volumes()).isEmpty();
        assertThat(ours.files("node-a")).isEqualTo(ours.volumes());
        Volumes.delete(ours.csi(), ours.volumes().getFirst());
    }

    /** As an old version gives an order. */
    private static LocalVolume order(String request, String node) {
        var order = new LocalVolume();
        order.setMetadata(new ObjectMetaBuilder()
                .withName("vol-" + Digest.of(request))
                .withFinalizers(LocalResources.FINALIZER)
                .build());
        order.setSpec(new LocalVolume.Spec(
                node,
                request,
                32 * Volumes.MIB,
                0,
                List.of(new LocalVolume.Use(false, "ext4", List.of(), null, "SINGLE_NODE_WRITER")),
                Map.of(),
                Map.of(),
                null,
                1,
                null,
                List.of()));
        return order;
    }

    /** An installation whose driver never had the default name, from the time when its resources had no label. */
    @Test
    void aDriverOfAnotherNameKeepsWhatItHadBeforeThereWereLabels() {
        try (var old = driver("csi.old.example").withNode("node-b").withController()) {
            var volume = old.create("kept", "node-b");
            old.close();
            asAnOldVersionMadeThem("kept", "node-b");

            ours.close();
            ours.withNode("node-a").withNode("node-b").withController();
            assertThat(ours.volumes()).isEmpty();
            assertThat(labels.volumes("kept")).extracting(Labels::driver).containsExactly(Optional.empty());

            old.withNode("node-b").withController();
            assertThat(old.volumes()).containsExactly(volume.getVolumeId());
            assertThat(old.create("kept", "node-b")).isEqualTo(volume);
            assertThat(labels.volumes("kept")).extracting(Labels::driver).containsExactly(Optional.of(old.name()));
            assertThat(labels.pools("node-b")).hasSize(2);
            assertThat(Labels.of(old, labels.pools("node-b")).getMetadata().getName())
                    .isEqualTo("node-b");
            // The names that the driver of the default name gives are those that all gave.
            Refused.with(Status.Code.FAILED_PRECONDITION, () -> ours.create("kept", "node-b"))
                    .contains("csi.old.example");
            old.delete(volume);
            assertThat(old.files("node-b")).isEmpty();
        }
    }

    private static void asAnOldVersionMadeThem(String request, String node) {
        var order = labels.volumes(request).getFirst();
        remove(order);
        var pool = labels.pools(node).getFirst();
        remove(pool);
        // There is no order without the pool of its node.
        again(pool, node);
        again(order, "vol-" + Digest.of(request));
    }

    private static <R extends HasMetadata> void remove(R resource) {
        labels.patch(resource, "{\"metadata\": {\"finalizers\": null}}");
        plane.client().resource(resource).delete();
    }

    private static <R extends HasMetadata> void again(R resource, String name) {
        resource.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withFinalizers(resource.getMetadata().getFinalizers())
                .build());
        var made = plane.client().resource(resource).create();
        resource.setMetadata(made.getMetadata());
        plane.client().resource(resource).updateStatus();
    }

    @Test
    void twoDriversNeverShareAPoolNotEvenOneAfterTheOther() {
        var pool = ours.pool("node-a");
        var other = driver("csi.other.weka.io");
        assertThatThrownBy(() -> other.withNode("node-a", pool))
                .hasMessageContaining(pool.toString())
                .hasMessageContaining("is of the driver 'local.stowage.dev'")
                .hasMessageContaining("a pool of its own");
        ours.close();
        assertThatThrownBy(() -> other.withNode("node-a", pool)).hasMessageContaining("is of the driver");
        ours.withNode("node-a").withController();
        ours.delete(ours.create("still-served", "node-a"));
        assertThat(plane.client().resources(LocalPool.class).list().getItems())
                .noneMatch(found ->
                        Labels.driver(found).filter(other.name()::equals).isPresent());
    }
}
