package dev.stowage.conformance.manager.clients;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.TreeMap;

/** The switch and the values of all drivers beside clients, where the chart writes them and the manager follows them. */
final class CsiValues {

    private static final String NAMESPACE = "default";
    private static final String NAME = "stowage-weka";

    /** Of the manager. */
    static final String OPTION = "--weka-config=" + NAMESPACE + "/" + NAME;

    private final KubernetesClient client;
    private final Map<String, Object> values = new TreeMap<>();

    CsiValues(KubernetesClient client) {
        this.client = client;
        reset();
    }

    /** Switched on, and nothing else is other than by default. */
    void reset() {
        values.clear();
        put("installationEnabled", true);
    }

    CsiValues put(String key, Object value) {
        values.put(key, value);
        write(client.getKubernetesSerialization().asYaml(values));
        return this;
    }

    CsiValues remove(String key) {
        values.remove(key);
        write(client.getKubernetesSerialization().asYaml(values));
        return this;
    }

    /** As somebody might write it, also if it is none. */
    void write(String text) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(NAME)
                        .endMetadata()
                        .addToData("csi.yaml", text)
                        .build())
                .serverSideApply();
    }
}
