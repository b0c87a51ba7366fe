package dev.stowage.conformance.manager;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.storage.CSINodeBuilder;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachmentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;

/** What there is on a node beside a deployed driver: volumes of it, pods that use them, clients of its storage. */
record OnNode(KubernetesClient client, Deployed deployed, String node) {

    /** A ready pod beside which the driver is to be. */
    void makeClient() {
        var pod = client.resource(pod("client")
                        .editMetadata()
                        .addToLabels("app", "client")
                        .endMetadata()
                        .build())
                .create();
        client.resource(pod)
                .editStatus(found -> new PodBuilder(found)
                        .withNewStatus()
                        .withPhase("Running")
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
    }

    /** As a DaemonSet's controller would make it. */
    void runDriver() {
        client.resource(pod("driver")
                        .editMetadata()
                        .addToLabels(deployed.node()
                                .get()
                                .getSpec()
                                .getTemplate()
                                .getMetadata()
                                .getLabels())
                        .endMetadata()
                        .build())
                .create();
    }

    /** Without it the API server takes no pods. */
    void makeAccount() {
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(deployed.namespace())
                        .withName(Deployed.NAME)
                        .endMetadata()
                        .build())
                .create();
    }

    /** As its kubelet would. */
    void register(String driver) {
        client.resource(new CSINodeBuilder()
                        .withNewMetadata()
                        .withName(node)
                        .endMetadata()
                        .withNewSpec()
                        .addNewDriver()
                        .withName(driver)
                        .withNodeID(node)
                        .endDriver()
                        .endSpec()
                        .build())
                .create();
    }

    private PodBuilder pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(deployed.namespace())
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .withServiceAccountName(Deployed.NAME)
                .withAutomountServiceAccountToken(false)
                .addNewContainer()
                .withName("main")
                .withImage("main:1")
                .endContainer()
                .endSpec();
    }

    /** As the scheduler would. */
    void bind(Pod pod) {
        client.bindings()
                .inNamespace(pod.getMetadata().getNamespace())
                .resource(new BindingBuilder()
                        .withNewMetadata()
                        .withName(pod.getMetadata().getName())
                        .withNamespace(pod.getMetadata().getNamespace())
                        .endMetadata()
                        .withNewTarget()
                        .withApiVersion("v1")
                        .withKind("Node")
                        .withName(node)
                        .endTarget()
                        .build())
                .create();
    }

    void makeVolume(String name) {
        client.resource(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withCapacity(Map.of("storage", Quantity.parse("1Gi")))
                        .withAccessModes("ReadWriteOnce")
                        .withNewClaimRef()
                        .withNamespace(deployed.namespace())
                        .withName(name)
                        .endClaimRef()
                        .withNewCsi()
                        .withDriver(deployed.driverName())
                        .withVolumeHandle(name)
                        .endCsi()
                        .endSpec()
                        .build())
                .create();
    }

    void unmount(Pod user) {
        client.resource(user).withGracePeriod(0).delete();
    }

    /** A pod of the volume's name, which has the claim of this volume. */
    Pod mount(String volume) {
        return client.resource(pod(volume)
                        .editSpec()
                        .addNewVolume()
                        .withName("data")
                        .withNewPersistentVolumeClaim(volume, false)
                        .endVolume()
                        .endSpec()
                        .build())
                .create();
    }

    String attach(String volume) {
        String name = "csi-" + volume;
        client.resource(new VolumeAttachmentBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withAttacher(deployed.driverName())
                        .withNodeName(node)
                        .withNewSource()
                        .withPersistentVolumeName(volume)
                        .endSource()
                        .endSpec()
                        .build())
                .create();
        return name;
    }

    void detach(String attachment) {
        client.storage().v1().volumeAttachments().withName(attachment).delete();
    }
}
