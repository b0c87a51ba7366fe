package dev.stowage.conformance.vsc;

import static dev.stowage.conformance.vsc.VscCluster.GIB;
import static dev.stowage.conformance.vsc.VscCluster.blockVolume;
import static dev.stowage.conformance.vsc.VscCluster.copyOf;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CreateVolumeRequest;
import dev.stowage.arrayapi.ArrayVolume;
import dev.stowage.arrayapi.NewVolume;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.kube.vsc.VolumeType;
import dev.stowage.kube.vsc.VscResources;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscVolume;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Volumes and snapshots come to be on arrays, and end. */
class VolumesOnArraysTest {

    private static VscCluster cluster;
    private static RunningArray first;
    private static RunningArray second;

    @BeforeAll
    static void start() {
        cluster = VscCluster.start();
        var arrays = cluster.ready(2);
        first = arrays.get(0);
        second = arrays.get(1);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void behave() {
        first.misbehave("");
        second.misbehave("");
    }

    private static List<ArrayVolume> everywhere(String displayName) {
        return List.of(first, second).stream()
                .flatMap(array -> array.client().volumes().stream())
                .filter(volume -> volume.displayName().equals(displayName))
                .toList();
    }

    private static RunningArray arrayOf(VscVolume volume) {
        return volume.getStatus().vpsaId().equals(first.name()) ? first : second;
    }

    private static VscVolume resource(String name) {
        return cluster.get(VscVolume.class, name);
    }

    @Test
    void aWishBecomesAVolumeOnOneArrayAndAskingAgainTheSame() {
        var wish = blockVolume("pvc-plain", 3).putParameters("csi.storage.k8s.io/pvc/name", "data");
        var volume = cluster.create(wish);

        var resource = resource("pvc-plain");
        assertThat(volume.getVolumeId()).isEqualTo("pvc-plain");
        assertThat(volume.getCapacityBytes()).isEqualTo(3 * GIB);
        assertThat(resource.getStatus().state()).isEqualTo(VscVolume.State.READY);
        assertThat(resource.getMetadata().getFinalizers()).containsExactly(VscResources.FINALIZER);
        assertThat(everywhere("pvc-plain")).singleElement().satisfies(made -> {
            assertThat(made.id()).isEqualTo(resource.getStatus().id());
            assertThat(made.group()).isEqualTo(resource.getStatus().cgId());
            assertThat(made.sizeBytes()).isEqualTo(3 * GIB);
            assertThat(made.block()).isTrue();
        });

        assertThat(cluster.create(blockVolume("pvc-plain", 3))).isEqualTo(volume);
        Refused.with(Status.Code.ALREADY_EXISTS, () -> cluster.create(blockVolume("pvc-plain", 5)))
                .contains("pvc-plain");
        assertThat(everywhere("pvc-plain")).hasSize(1);

        cluster.delete("pvc-plain");
        cluster.delete("pvc-plain");
        assertThat(everywhere("pvc-plain")).isEmpty();
        assertThat(resource("pvc-plain")).isNull();
    }

    @Test
    void aNewVolumeCostsItsArrayTwoCalls() {
        long before = callsAboutVolumes();
        cluster.create(blockVolume("pvc-cheap", 1));
        assertThat(callsAboutVolumes() - before).isEqualTo(2);
        cluster.delete("pvc-cheap");
    }

    /** Those that concern one volume; the looks at the arrays go on meanwhile. */
    private static long callsAboutVolumes() {
        return cluster.metrics()
                .lines()
                .filter(line -> line.startsWith("stowage_array_calls{"))
                .filter(line -> line.contains("call=\"POST /volumes\"") || line.contains("call=\"GET /volumes/*\""))
                .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))))
                .sum();
    }

    @Test
    void volumesAreSpreadOverTheMembers() {
        // What other tests left counts for placement: in recycle bins it goes, and the controller hears of the rest.
        for (var array : List.of(first, second)) {
            var client = array.client();
            client.recycled(client.pools().getFirst().id()).forEach(volume -> client.purgeVolume(volume.id()));
        }
        for (var array : List.of(first, second)) {
            cluster.awaitLook(array);
        }
        for (int number = 0; number < 8; number++) {
            cluster.create(blockVolume("pvc-spread-" + number, 1));
        }
        for (var array : List.of(first, second)) {
            assertThat(array.client().volumes())
                    .filteredOn(volume -> volume.displayName().startsWith("pvc-spread-"))
                    .hasSizeGreaterThan(1);
        }
        for (int number = 0; number < 8; number++) {
            cluster.delete("pvc-spread-" + number);
        }
    }

    @Test
    void snapshotsAndClonesAreIndependentOfTheirSource() {
        var volume = cluster.create(blockVolume("pvc-source", 1));
        var snapshot = cluster.snapshot("snapshot-one", volume.getVolumeId());
        var array = arrayOf(resource("pvc-source"));

        assertThat(snapshot.getReadyToUse()).isTrue();
        assertThat(snapshot.getSizeBytes()).isEqualTo(GIB);
        assertThat(cluster.get(VscSnapshot.class, "snapshot-one").getStatus().state())
                .isEqualTo(VscSnapshot.State.READY);
        assertThat(cluster.snapshot("snapshot-one", volume.getVolumeId())).isEqualTo(snapshot);
        Refused.with(Status.Code.FAILED_PRECONDITION, () -> cluster.delete("pvc-source"))
                .contains("snapshot-one");

        var restored = cluster.create(blockVolume("pvc-restored", 2).setVolumeContentSource(copyOf(snapshot)));
        var cloned = cluster.create(blockVolume("pvc-cloned", 1).setVolumeContentSource(copyOf(volume)));
        assertThat(restored.getCapacityBytes()).isEqualTo(2 * GIB);
        assertThat(cloned.getContentSource()).isEqualTo(copyOf(volume));
        assertThat(resource("pvc-restored").getStatus().vpsaId()).isEqualTo(array.name());
        assertThat(everywhere("pvc-restored"))
                .singleElement()
                .satisfies(made -> assertThat(made.sizeBytes()).isEqualTo(2 * GIB));

        cluster.deleteSnapshot("snapshot-one");
        cluster.deleteSnapshot("snapshot-one");
        assertThat(array.client().snapshots()).isEmpty();
        cluster.delete("pvc-source");
        assertThat(everywhere("pvc-cloned")).hasSize(1);
        cluster.delete("pvc-cloned");
        cluster.delete("pvc-restored");
        assertThat(everywhere("pvc-cloned")).isEmpty();
    }

    @Test
    void growthIsNeverAddedTwice() {
        cluster.create(blockVolume("pvc-grows", 1));
        var array = arrayOf(resource("pvc-grows"));

        assertThat(cluster.grow("pvc-grows", 3)).isEqualTo(3 * GIB);
        assertThat(cluster.grow("pvc-grows", 3)).isEqualTo(3 * GIB);
        assertThat(everywhere("pvc-grows").getFirst().sizeBytes()).isEqualTo(3 * GIB);

        array.misbehave("drop-after on POST /api/volumes/*/expand.json times 1");
        Refused.with(Status.Code.UNAVAILABLE, () -> cluster.grow("pvc-grows", 5))
                .contains("pvc-grows");
        assertThat(cluster.grow("pvc-grows", 5)).isEqualTo(5 * GIB);
        assertThat(everywhere("pvc-grows").getFirst().sizeBytes()).isEqualTo(5 * GIB);
        cluster.delete("pvc-grows");
    }

    @Test
    void anAnswerThatIsLostMakesNoSecondVolume() {
        for (var array : List.of(first, second)) {
            array.misbehave("drop-after on POST /api/volumes.json times 1");
        }

        Eventually.assertThat(() -> cluster.create(blockVolume("pvc-lost", 1)));

        // The arrays that were given up are asked when every request to them must have ended.
        Eventually.assertThat(() -> assertThat(everywhere("pvc-lost"))
                .singleElement()
                .extracting(ArrayVolume::id)
                .isEqualTo(resource("pvc-lost").getStatus().id()));
        cluster.delete("pvc-lost");
        assertThat(everywhere("pvc-lost")).isEmpty();
    }

    @Test
    void anArrayThatRefusesIsPassedOverForAnother() {
        first.misbehave("fail 11099 on POST /api/volumes.json");

        for (int number = 0; number < 3; number++) {
            cluster.create(blockVolume("pvc-over-" + number, 1));
            assertThat(resource("pvc-over-" + number).getStatus().vpsaId()).isEqualTo(second.name());
        }
        for (int number = 0; number < 3; number++) {
            cluster.delete("pvc-over-" + number);
        }
    }

    @Test
    void whereNoArrayHasRoomEachSaysWhyAndNothingIsLeft() {
        Refused.with(Status.Code.RESOURCE_EXHAUSTED, () -> cluster.create(blockVolume("pvc-huge", 100)))
                .contains("array-1 has ")
                .contains("array-2 has ")
                .contains("100 GiB");
        assertThat(resource("pvc-huge")).isNull();
    }

    @Test
    void aVolumeThatAPersonMakesAsAResourceIsMadeAndEndsWithIt() {
        var wish = new VscVolume();
        wish.setMetadata(new ObjectMetaBuilder().withName("by-hand").build());
        wish.setSpec(new VscVolume.Spec(
                VscCluster.CLASS, "made by hand", null, new Quantity("2Gi"), VolumeType.BLOCK, null, null));
        cluster.client().resource(wish).create();

        Eventually.assertThat(
                () -> assertThat(resource("by-hand").getStatus().state()).isEqualTo(VscVolume.State.READY));
        assertThat(everywhere("made by hand")).hasSize(1);

        cluster.client().resources(VscVolume.class).withName("by-hand").delete();
        Eventually.assertThat(() -> assertThat(resource("by-hand")).isNull());
        assertThat(everywhere("made by hand")).isEmpty();
    }

    @Test
    void aVolumeOfAnotherIsNeverTakenForOursByItsName() {
        for (var array : List.of(first, second)) {
            array.client()
                    .createVolume(new NewVolume(
                            "ledger", 1, array.client().pools().getFirst().id(), true, Map.of()));
        }
        var there = everywhere("ledger");
        var wish = new VscVolume();
        wish.setMetadata(new ObjectMetaBuilder().withName("not-the-ledger").build());
        wish.setSpec(new VscVolume.Spec(
                VscCluster.CLASS, "ledger", null, new Quantity("1Gi"), VolumeType.BLOCK, null, null));
        cluster.client().resource(wish).create();

        Eventually.assertThat(() -> assertThat(cluster.log()).contains("has another volume named 'ledger'"));
        cluster.client().resources(VscVolume.class).withName("not-the-ledger").delete();
        Eventually.assertThat(() -> assertThat(resource("not-the-ledger")).isNull());
        assertThat(everywhere("ledger")).isEqualTo(there);
    }

    @Test
    void whatFailsAfterTheVolumeIsThereMakesNoSecondOne() {
        for (var array : List.of(first, second)) {
            array.misbehave("fail 11099 on GET /api/volumes/volume-* times 1");
        }

        Eventually.assertThat(() -> cluster.create(blockVolume("pvc-late", 1)));

        assertThat(everywhere("pvc-late")).hasSize(1);
        cluster.delete("pvc-late");
        assertThat(everywhere("pvc-late")).isEmpty();
    }

    @Test
    void deletedVolumesGoToTheRecycleBinUnlessTheyAreToBePurged() {
        cluster.create(blockVolume("pvc-kept", 1));
        cluster.create(blockVolume("pvc-purged", 1).putParameters("recycleBin", "purge"));
        String kept = resource("pvc-kept").getStatus().id();
        var keeping = arrayOf(resource("pvc-kept"));
        String purged = resource("pvc-purged").getStatus().id();
        var purging = arrayOf(resource("pvc-purged"));

        cluster.delete("pvc-kept");
        cluster.delete("pvc-purged");

        assertThat(keeping.client().recycled(keeping.client().pools().getFirst().id()))
                .extracting(ArrayVolume::id)
                .contains(kept);
        assertThat(purging.client().recycled(purging.client().pools().getFirst().id()))
                .extracting(ArrayVolume::id)
                .doesNotContain(purged);
    }

    @Test
    void wrongParametersAreRefusedByName() {
        Refused.with(
                        Status.Code.INVALID_ARGUMENT,
                        () -> cluster.create(blockVolume("pvc-wrong", 1).putParameters("volumeKind", "Block")))
                .contains("volumeKind");
        Refused.with(
                        Status.Code.INVALID_ARGUMENT,
                        () -> cluster.create(blockVolume("pvc-wrong", 1).putParameters("volumeOptions", "{nfs")))
                .contains("volumeOptions");
        Refused.with(
                        Status.Code.FAILED_PRECONDITION,
                        () -> cluster.create(
                                blockVolume("pvc-wrong", 1).putParameters("VSCStorageClassName", "silver")))
                .contains("silver");
        assertThat(resource("pvc-wrong")).isNull();
    }

    @Test
    void aKilledControllerGoesOnWhereItWas() throws InterruptedException {
        first.misbehave("delay 3s on POST /api/volumes.json");
        second.misbehave("delay 3s on POST /api/volumes.json");
        var caller = Thread.ofVirtual().start(() -> {
            try {
                cluster.create(blockVolume("pvc-killed", 1));
            } catch (StatusRuntimeException killed) {
                // as it must be
            }
        });
        Eventually.assertThat(
                () -> assertThat(resource("pvc-killed").getStatus().state()).isEqualTo(VscVolume.State.PROVISIONING));
        cluster.controller().kill();
        caller.join();
        behave();

        cluster.startController();

        Eventually.assertThat(
                () -> assertThat(resource("pvc-killed").getStatus().state()).isEqualTo(VscVolume.State.READY));
        cluster.create(blockVolume("pvc-killed", 1));
        Eventually.assertThat(() -> assertThat(everywhere("pvc-killed")).hasSize(1));
        cluster.delete("pvc-killed");
    }

    @Test
    void aFilesystemOnADeviceIsABlockVolume() {
        var wish = CreateVolumeRequest.newBuilder()
                .setName("pvc-filesystem")
                .addVolumeCapabilities(CsiClient.mounted("xfs"))
                .putParameters("volumeType", "Block");
        cluster.create(wish);
        assertThat(resource("pvc-filesystem").getSpec().volumeType()).isEqualTo(VolumeType.BLOCK);
        cluster.delete("pvc-filesystem");
    }
}
