package dev.stowage.conformance.cluster;

import static dev.stowage.conformance.cluster.Volumes.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.Volume;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.kube.local.LocalPool;
import dev.stowage.kube.local.LocalSnapshot;
import dev.stowage.kube.local.LocalVolume;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Processes that die, an API server that goes away, a node that does not answer: nothing is lost, nothing is left. */
class BadDaysTest {

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
        for (String node : List.of("node-a", "node-b")) {
            assertThat(Pools.files(cluster, node)).isEmpty();
        }
    }

    @Test
    void aNodeThatIsDownIsToldPlainlyAndItsVolumesComeBackWithIt() {
        var csi = cluster.central();
        var volume = Volumes.create(csi, Volumes.request("stays", 32 * MIB, "node-b"));
        Volumes.attach(csi, volume, "node-b");
        cluster.member("node-b").kill();
        LocalCluster.await("node-b counts as down", () -> Volumes.capacity(csi, "node-b") == 0);

        Refused.with(Status.Code.UNAVAILABLE, () -> Volumes.snapshot(csi, "of-a-lost-one", volume.getVolumeId()))
                .contains("node-b")
                .contains("does not answer since")
                .contains("come back with it");
        Refused.with(
                        Status.Code.RESOURCE_EXHAUSTED,
                        () -> Volumes.create(csi, Volumes.request("nowhere", 32 * MIB, "node-b")))
                .contains("node node-b does not answer");
        assertThat(Volumes.list(csi)).hasSize(1);
        assertThat(csi.controller()
                        .controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.newBuilder()
                                .setVolumeId(volume.getVolumeId())
                                .build())
                        .toString())
                .contains("NodeNotResponding")
                .contains("INACCESSIBLE");
        // The attachments of a lost node are released without waiting for anyone.
        Volumes.detach(csi, volume, "node-b");
        assertThat(Volumes.list(csi).getFirst().getStatus().getPublishedNodeIdsList())
                .isEmpty();
        Refused.with(Status.Code.UNAVAILABLE, () -> Volumes.delete(csi, volume.getVolumeId()))
                .contains("node-b");
        // The others go on.
        var other = Volumes.create(csi, Volumes.request("other", 32 * MIB, "node-a"));

        cluster.node("node-b");
        cluster.awaitAnswering("node-b");
        assertThat(Volumes.create(csi, Volumes.request("stays", 32 * MIB, "node-b")))
                .isEqualTo(volume);
        Volumes.delete(csi, volume.getVolumeId());
        Volumes.delete(csi, other.getVolumeId());
    }

    @Test
    void whateverDiesWhileThingsAreMadeAndRemovedRepeatingGivesTheSame() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        System.out.println("seed " + seed);
        for (int round = 0; round < 6; round++) {
            String name = "life-" + round;
            boolean node = round % 2 == 0;
            var killed =
                    CompletableFuture.runAsync(() -> killSoon(node ? "node-a" : "controller", random.nextInt(120)));
            var volume = persist(csi -> Volumes.create(csi, Volumes.request(name, 32 * MIB, "node-a")));
            var snapshot = persist(csi -> Volumes.snapshot(csi, name, volume.getVolumeId()));
            killed.join();
            var sameVolume = persist(csi -> Volumes.create(csi, Volumes.request(name, 32 * MIB, "node-a")));
            assertThat(sameVolume).isEqualTo(volume);
            var sameSnapshot = persist(csi -> Volumes.snapshot(csi, name, volume.getVolumeId()));
            assertThat(sameSnapshot).isEqualTo(snapshot);
            var killedAgain =
                    CompletableFuture.runAsync(() -> killSoon(node ? "controller" : "node-a", random.nextInt(60)));
            persist(csi -> {
                Volumes.deleteSnapshot(csi, snapshot.getSnapshotId());
                Volumes.delete(csi, volume.getVolumeId());
                return true;
            });
            killedAgain.join();
            cluster.awaitAnswering("node-a");
        }
    }

    private static void killSoon(String member, int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        cluster.member(member).kill();
        var _ = member.equals("controller") ? cluster.controller(member) : cluster.node(member);
    }

    private interface Call<T> {
        T to(CsiClient csi);
    }

    /** Repeats a call as an orchestrator does, as long as it is told that it may succeed later. */
    private static <T> T persist(Call<T> call) {
        long end = System.nanoTime() + LocalCluster.PATIENCE.toNanos();
        while (true) {
            try {
                return call.to(cluster.central());
            } catch (StatusRuntimeException failed) {
                var code = failed.getStatus().getCode();
                boolean later = code == Status.Code.UNAVAILABLE
                        || code == Status.Code.ABORTED
                        || code == Status.Code.RESOURCE_EXHAUSTED
                        || code == Status.Code.DEADLINE_EXCEEDED;
                if (!later || System.nanoTime() > end) {
                    throw failed;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void everybodyRecoversFromAnApiServerThatWasAway() {
        var csi = cluster.central();
        var volume = Volumes.create(csi, Volumes.request("before", 32 * MIB, "node-a"));
        cluster.plane().stopApiServer();
        try {
            Refused.with(
                            Status.Code.UNAVAILABLE,
                            () -> Volumes.create(csi, Volumes.request("during", 32 * MIB, "node-a")))
                    .contains("API server");
            assertThat(cluster.member("node-a")
                            .csi()
                            .node()
                            .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                            .getNodeId())
                    .isEqualTo("node-a");
        } finally {
            cluster.plane().startApiServerAgain();
        }
        var later = persist(again -> Volumes.create(again, Volumes.request("during", 32 * MIB, "node-a")));
        Volumes.delete(csi, later.getVolumeId());
        Volumes.delete(csi, volume.getVolumeId());
    }

    @Test
    void twoControllersAtOnceMakeOneVolume() throws Exception {
        var second = cluster.controller("second");
        LocalCluster.await("the second controller knows the nodes", () -> Volumes.capacity(second.csi(), "node-a") > 0);
        try (var callers = Executors.newFixedThreadPool(8)) {
            for (int round = 0; round < 5; round++) {
                String name = "contended-" + round;
                var answers = new ArrayList<CompletableFuture<Volume>>();
                for (int caller = 0; caller < 8; caller++) {
                    var through = caller % 2 == 0 ? cluster.central() : second.csi();
                    answers.add(CompletableFuture.supplyAsync(
                            unlessBusy(
                                    () -> Volumes.create(through, Volumes.request(name, 32 * MIB, "node-a", "node-b"))),
                            callers));
                }
                var made = new HashSet<Volume>();
                for (var answer : answers) {
                    made.add(answer.get());
                }
                assertThat(made).hasSize(1);
                var volume = made.iterator().next();
                // What one controller made, the other knows at once.
                Volumes.attach(second.csi(), volume, Volumes.nodeOf(volume));
                Volumes.detach(cluster.central(), volume, Volumes.nodeOf(volume));
                var deletions = new ArrayList<CompletableFuture<Boolean>>();
                for (var through : List.of(cluster.central(), second.csi())) {
                    deletions.add(CompletableFuture.supplyAsync(
                            unlessBusy(() -> {
                                Volumes.delete(through, volume.getVolumeId());
                                return true;
                            }),
                            callers));
                }
                for (var deletion : deletions) {
                    assertThat(deletion.get()).isTrue();
                }
            }
        } finally {
            second.stop();
        }
    }

    private static <T> Supplier<T> unlessBusy(Supplier<T> call) {
        return () -> {
            while (true) {
                try {
                    return call.get();
                } catch (StatusRuntimeException failed) {
                    if (failed.getStatus().getCode() != Status.Code.ABORTED) {
                        throw failed;
                    }
                    pause();
                }
            }
        };
    }

    @Test
    void whatNobodyOrderedIsToldAndLeftAlone() {
        var csi = cluster.central();
        var volume = Volumes.create(csi, Volumes.request("orphan", 32 * MIB, "node-a"));
        var resources = cluster.plane().client().resources(LocalVolume.class);
        var order = resources.list().getItems().getFirst();
        // Somebody removes the resource by force.
        cluster.member("node-a").kill();
        resources.withName(order.getMetadata().getName()).edit(resource -> {
            resource.getMetadata().setFinalizers(List.of());
            return resource;
        });
        resources.withName(order.getMetadata().getName()).delete();
        cluster.node("node-a");
        cluster.awaitAnswering("node-a");
        LocalCluster.await("the volume is told as unclaimed", () -> {
            var unclaimed = cluster.plane()
                    .client()
                    .resources(LocalPool.class)
                    .withName("node-a")
                    .get()
                    .getStatus()
                    .unclaimed();
            return unclaimed != null && unclaimed.volumes().contains(volume.getVolumeId());
        });
        assertThat(Pools.files(cluster, "node-a")).containsExactly("volumes/" + volume.getVolumeId());
        // The same wish finds it again.
        var found = persist(again -> Volumes.create(again, Volumes.request("orphan", 32 * MIB, "node-a")));
        assertThat(found).isEqualTo(volume);
        Volumes.delete(csi, volume.getVolumeId());
    }
}
