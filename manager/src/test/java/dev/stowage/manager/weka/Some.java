package dev.stowage.manager.weka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaCluster;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Resources as users write them. */
final class Some {

    static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private static final Path CHART = Path.of("..", "charts", "stowage", "values.yaml");

    private Some() {}

    /** @param spec of a client storage/clients */
    static WekaClient client(String spec) {
        return SERIALIZATION.unmarshal(resource("WekaClient", "clients", "storage", spec), WekaClient.class);
    }

    static WekaCluster cluster(String name, String namespace, String spec) {
        return SERIALIZATION.unmarshal(resource("WekaCluster", name, namespace, spec), WekaCluster.class);
    }

    private static String resource(String kind, String name, String namespace, String spec) {
        return """
                apiVersion: weka.weka.io/v1alpha1
                kind: %s
                metadata: {name: %s, namespace: %s, uid: 0f6d}
                spec: %s
                """.formatted(kind, name, namespace, spec);
    }

    /** The chart's values, untouched; the chart hands them on as they are. */
    static Map<String, Object> ofTheChart() throws IOException {
        Map<String, Object> all = SERIALIZATION.unmarshal(Files.readString(CHART), Map.class);
        return SERIALIZATION.convertValue(all.get("csi"), Map.class);
    }

    static Values values(Map<String, Object> given) {
        var read = Values.parse(SERIALIZATION.asYaml(given), SERIALIZATION);
        assertThat(read.problems()).isEmpty();
        return read.values();
    }
}
