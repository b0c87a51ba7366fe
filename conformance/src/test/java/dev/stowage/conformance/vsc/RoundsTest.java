package dev.stowage.conformance.vsc;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Spawning;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Volumes come to a node and go, while the controller, the array and the node's driver are killed at any time. Those who call repeat what
 * failed, as Kubernetes does.
 */
class RoundsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int LATEST_KILL_MILLISECONDS = 600;
    private static final VolumeCapability USE = CsiClient.mounted("xfs");

    private final long seed = Long.getLong("stowage.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    /** What a test does that may fail for a while. */
    private interface Call<T> {
        T make();
    }

    @Test
    void whateverIsKilledNothingIsLeftOverAndWhatWasWrittenIsThere() throws IOException, InterruptedException {
        int rounds = Integer.getInteger("stowage.rounds", 12);
        var volumes = List.of("pvc-round-1", "pvc-round-2", "pvc-round-3");
        var written = new HashMap<String, String>();
        try (var cluster = VscCluster.start()) {
            var array = cluster.ready(1).getFirst();
            volumes.forEach(volume -> cluster.create(VscCluster.blockVolume(volume, 1)
                    .clearVolumeCapabilities()
                    .addVolumeCapabilities(USE)
                    .putParameters("volumeType", "Block")));
            try (var node = new RunningNode(cluster, "node-1")) {
                for (int round = 0; round < rounds; round++) {
                    var volume = volumes.get(random.nextInt(volumes.size()));
                    var text = "round %d of seed %d\n".formatted(round, seed);
                    var killer = kill(random.nextInt(5), cluster, array, node);
                    var before = use(cluster, node, volume, text);
                    killer.join();
                    assertThat(before).as(text).isEqualTo(written.getOrDefault(volume, ""));
                    written.put(volume, text);
                    assertThat(node.inUse()).as(text).isEmpty();
                    assertThat(cluster.client()
                                    .resources(VscVolumeAttachment.class)
                                    .list()
                                    .getItems())
                            .as(text)
                            .isEmpty();
                    assertThat(array.client().servers()).as(text).isEmpty();
                }
                volumes.forEach(volume -> repeat(volume + " is deleted", () -> {
                    cluster.delete(volume);
                    return volume;
                }));
                assertThat(array.client().volumes()).isEmpty();
                assertThat(cluster.log()).doesNotContain("Exception in thread").doesNotContain("level=error");
            }
        }
    }

    /** One of them dies in a moment, or none. */
    private Thread kill(int whom, VscCluster cluster, RunningArray array, RunningNode node) {
        long moment = random.nextInt(LATEST_KILL_MILLISECONDS);
        return Thread.ofPlatform().start(() -> {
            try {
                Thread.sleep(moment);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            switch (whom) {
                case 0 -> {
                    cluster.controller().kill();
                    cluster.startController();
                }
                case 1 -> {
                    array.kill();
                    array.startAgain();
                }
                case 2 -> node.killDriver();
                default -> {
                    // Some rounds go well.
                }
            }
        });
    }

    /** @return what was on the volume before */
    private String use(VscCluster cluster, RunningNode node, String volume, String text) throws IOException {
        Map<String, String> context = repeat(volume + " is attached", () -> cluster.attach(volume, node.name(), USE));
        repeat(volume + " is staged", () -> {
            node.stage(volume, USE, context);
            return volume;
        });
        repeat(volume + " is published", () -> {
            node.publish(volume, USE, context);
            return volume;
        });
        var before = Spawning.apart(() -> exchange(node.published(volume).resolve("note"), text));
        repeat(volume + " is unpublished", () -> {
            node.unpublish(volume);
            return volume;
        });
        repeat(volume + " is unstaged", () -> {
            node.unstage(volume);
            return volume;
        });
        repeat(volume + " is detached", () -> {
            cluster.detach(volume, node.name());
            return volume;
        });
        return before;
    }

    private static String exchange(Path file, String text) throws IOException {
        var before = Files.exists(file) ? Files.readString(file) : "";
        try (var channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            channel.write(StandardCharsets.UTF_8.encode(text));
            channel.force(true);
        }
        return before;
    }

    private <T> T repeat(String what, Call<T> call) {
        var answer = new AtomicReference<T>();
        Eventually.assertThat(PATIENCE, () -> {
            try {
                answer.set(call.make());
            } catch (StatusRuntimeException failed) {
                throw new AssertionError(what + ", seed " + seed, failed);
            }
        });
        return answer.get();
    }
}
