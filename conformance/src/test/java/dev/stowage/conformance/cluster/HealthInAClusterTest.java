package dev.stowage.conformance.cluster;

import static dev.stowage.conformance.cluster.Volumes.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.Volume;
import dev.stowage.kube.local.HealthCondition;
import dev.stowage.kube.local.LocalVolume;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The health of volumes is published where people look, and told once when it changes. */
class HealthInAClusterTest {

    @Test
    void whatIsWrongIsAConditionAndOneEventOfTheClaimUntilItHeals() throws Exception {
        try (var cluster = LocalCluster.start("node-a")) {
            var csi = cluster.central();
            var volume = Volumes.create(csi, Volumes.request("pvc-health", 32 * MIB, "node-a"));
            bind(cluster, volume);
            LocalCluster.await("the volume is told to be healthy", () -> healthy(cluster, "True"));
            assertThat(events(cluster)).isEmpty();

            Path file = content(cluster).resolve("volumes").resolve(volume.getVolumeId());
            Path aside = file.resolveSibling("aside");
            Files.move(file, aside);
            LocalCluster.await("the loss is told", () -> healthy(cluster, "False"));
            LocalCluster.await("the claim's user is told", () -> events(cluster).size() == 1);
            assertThat(events(cluster).getFirst().getReason()).isEqualTo("BackingFileMissing");
            assertThat(events(cluster).getFirst().getType()).isEqualTo("Warning");
            assertThat(metrics(cluster))
                    .contains("stowage_volume_unhealthy{node=\"node-a\",reason=\"BackingFileMissing\"")
                    .contains("stowage_local_node_answers{node=\"node-a\"} 1.0");

            Files.move(aside, file);
            LocalCluster.await("it has healed", () -> healthy(cluster, "True"));
            LocalCluster.await("and that is told", () -> events(cluster).size() == 2);
            assertThat(metrics(cluster)).doesNotContain("stowage_volume_unhealthy{");

            cluster.member("node-a").kill();
            LocalCluster.await("the node's silence is told", () -> healthy(cluster, "Unknown"));
            LocalCluster.await("also to the claim's user", () -> events(cluster).size() == 3);
            assertThat(events(cluster).stream().map(Event::getReason)).contains("NodeNotResponding");
            cluster.node("node-a");
            cluster.awaitAnswering("node-a");
            LocalCluster.await("the node is back", () -> healthy(cluster, "True"));
            Volumes.delete(csi, volume.getVolumeId());
        }
    }

    /** What the provisioner and the binder would have made. */
    private static void bind(LocalCluster cluster, Volume volume) {
        var _ = cluster.plane()
                .client()
                .persistentVolumes()
                .resource(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName("pvc-health")
                        .endMetadata()
                        .withNewSpec()
                        .withCapacity(Map.of("storage", new Quantity("32Mi")))
                        .withAccessModes("ReadWriteOnce")
                        .withNewClaimRef()
                        .withNamespace("default")
                        .withName("claim")
                        .withUid("0b0d2b5c-0000-4000-8000-000000000001")
                        .endClaimRef()
                        .withNewCsi()
                        .withDriver("local.stowage.dev")
                        .withVolumeHandle(volume.getVolumeId())
                        .endCsi()
                        .endSpec()
                        .build())
                .create();
    }

    private static boolean healthy(LocalCluster cluster, String status) {
        return cluster.plane().client().resources(LocalVolume.class).list().getItems().stream()
                .flatMap(volume -> volume.getStatus().conditions().stream())
                .anyMatch(condition -> condition.type().equals(HealthCondition.HEALTHY)
                        && condition.status().equals(status));
    }

    private static List<Event> events(LocalCluster cluster) {
        return cluster.plane().client().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> "claim".equals(event.getInvolvedObject().getName()))
                .toList();
    }

    private static Path content(LocalCluster cluster) {
        return cluster.workspace().mounts().stream()
                .filter(mount -> mount.startsWith(cluster.pool("node-a")))
                .findFirst()
                .orElseThrow();
    }

    private static String metrics(LocalCluster cluster) throws IOException, InterruptedException {
        return cluster.metrics("controller");
    }
}
