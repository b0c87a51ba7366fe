package dev.stowage.manager.weka;

import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaCluster;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Resources as users write them. */
final class Some {

    static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

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

    static Values values(String yaml) {
        return Values.parse(yaml, SERIALIZATION).values();
    }
}
