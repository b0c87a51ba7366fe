package dev.stowage.manager.weka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.kube.weka.CsiConfig;
import dev.stowage.manager.driver.NotUnderstood;
import dev.stowage.manager.driver.RenderingSettings;
import dev.stowage.manager.driver.SidecarImages;
import dev.stowage.manager.driver.Volumes;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the values and of what a client says, and what the hash tells of it. */
class ClientDriverTest {

    private static final RenderingSettings SETTINGS = new RenderingSettings(
            SidecarImages.of("ours", "provisioner", "resizer", "snapshotter"), "/var/lib/kubelet", Map.of(), 1);

    private static ClientDriver driver(String client, String values, KubernetesSerialization serialization) {
        var read = Values.parse(values, Some.SERIALIZATION);
        assertThat(read.problems()).isEmpty();
        return ClientDriver.of(
                "csi.weka.io",
                Some.client(client),
                CsiConfig.NONE,
                read.values(),
                SETTINGS,
                Volumes.NONE,
                serialization);
    }

    private static String hash(String client, String values) {
        return driver(client, values, Some.SERIALIZATION).hash();
    }

    @Test
    void whatNobodyThoughtOfIsToldAsSuchAndNotTakenForAFailureOfToday() {
        assertThatThrownBy(() -> driver("{image: client}", "{}", new TestingSerialization()))
                .isInstanceOf(NotUnderstood.class)
                .hasMessageContaining("nobody thought of it");
    }

    private static final class TestingSerialization extends KubernetesSerialization {
        @Override
        public <T> T convertValue(Object value, Class<T> type) {
            throw new IllegalStateException("nobody thought of it");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "logLevel: 7",
                "image: other",
                "namespace: other",
                "controllerReplicas: 1",
                "filesystemName: fast",
                "storageClassParameters: {pool: ssd}",
                "nodeResources: {limits: {memory: 1Gi}}",
                "storageClassCreationDisabled: true",
            })
    void itChangesWithTheConfiguration(String values) {
        assertThat(hash("{image: client}", values)).isNotEqualTo(hash("{image: client}", "{}"));
    }

    @Test
    void itChangesWithWhatTheClientSaysOfItsDriverOnly() {
        String before = hash("{image: client, nodeSelector: {a: b, c: d}}", "{}");

        assertThat(hash("{image: client:2, port: 14000, nodeSelector: {c: d, a: b}}", "{}"))
                .isEqualTo(before);
        assertThat(hash("{image: client, nodeSelector: {a: b}}", "{}")).isNotEqualTo(before);
        assertThat(hash("{image: client, nodeSelector: {a: b, c: d}, tolerations: [dedicated]}", "{}"))
                .isNotEqualTo(before);
    }

    @Test
    void itStaysWithValuesThatAreGivenInAnotherOrderOrDecideOtherThings() {
        assertThat(hash("{image: client}", "storageClassParameters: {a: b, c: d}"))
                .isEqualTo(hash("{image: client}", "storageClassParameters: {c: d, a: b}"));
        assertThat(hash("{image: client}", "adopt: true\nkeepNodeServerUntilUnmounted: true"))
                .isEqualTo(hash("{image: client}", "{}"));
    }
}
