package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;

/** A volume of a driver with its claim, and a pod on a node that uses it. All three have the same name. */
record UsedVolume(KubernetesClient client, String namespace, String name) {

    static UsedVolume of(DeployedClient deployed, String driver, String node, KubernetesClient client) {
        return of(deployed, driver, node, "used-on-" + node, client);
    }

    static UsedVolume of(DeployedClient deployed, String driver, String node, String name, KubernetesClient client) {
        var used = new UsedVolume(client, deployed.namespace(), name);
        used.makeVolume(driver);
        used.makeClaim();
        used.makePod(node);
        Eventually.assertThat(() -> assertThat(Pods.ready(client.pods()
                        .inNamespace(used.namespace)
                        .withName(used.name)
                        .get()))
                .isTrue());
        return used;
    }

    /** One that nobody has claimed, which names a secret of a namespace and has the name of that. */
    static void byNobody(String driver, String secrets, KubernetesClient client) {
        client.resource(volume(driver, secrets)
                        .editSpec()
                        .editCsi()
                        .withNewControllerPublishSecretRef("credentials", secrets)
                        .endCsi()
                        .endSpec()
                        .build())
                .create();
    }

    private void makeVolume(String driver) {
        client.resource(volume(driver, name)
                        .editSpec()
                        .withNewClaimRef()
                        .withNamespace(namespace)
                        .withName(name)
                        .endClaimRef()
                        .endSpec()
                        .build())
                .create();
    }

    private static PersistentVolumeBuilder volume(String driver, String name) {
        return new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withCapacity(Map.of("storage", Quantity.parse("1Gi")))
                .withAccessModes("ReadWriteOnce")
                .withNewCsi()
                .withDriver(driver)
                .withVolumeHandle(name)
                .endCsi()
                .endSpec();
    }

    private void makeClaim() {
        client.resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withVolumeName(name)
                        .withNewResources()
                        .withRequests(Map.of("storage", Quantity.parse("1Gi")))
                        .endResources()
                        .endSpec()
                        .build())
                .create();
    }

    private void makePod(String node) {
        client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(node)
                        .addNewContainer()
                        .withName("writer")
                        .withImage("writer:1")
                        .endContainer()
                        .addNewVolume()
                        .withName("data")
                        .withNewPersistentVolumeClaim()
                        .withClaimName(name)
                        .endPersistentVolumeClaim()
                        .endVolume()
                        .endSpec()
                        .build())
                .create();
    }

    /** Volume, claim and pod; they change if anybody writes any of them. */
    List<HasMetadata> objects() {
        return List.of(
                client.persistentVolumes().withName(name).get(),
                client.persistentVolumeClaims()
                        .inNamespace(namespace)
                        .withName(name)
                        .get(),
                client.pods().inNamespace(namespace).withName(name).get());
    }

    /** The pod ends, and with it its mounts. */
    void unmount() {
        var pod = client.pods().inNamespace(namespace).withName(name);
        pod.delete();
        Eventually.assertThat(() -> assertThat(pod.get()).isNull());
    }
}
