package dev.stowage.conformance.manager;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;

/** A pod of a driver that is ready, and whose sidecar answers where the test does. */
record AnsweringDriver(KubernetesClient client, Deployed deployed) {

    /** @param template whose labels the pod has */
    void run(PodTemplateSpec template, String node, Container sidecar) throws IOException {
        String address = PodAddress.ofThisMachine();
        var pod = client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(deployed.namespace())
                        .withName("driver")
                        .withLabels(template.getMetadata().getLabels())
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(node)
                        .withServiceAccountName(Deployed.NAME)
                        .withAutomountServiceAccountToken(false)
                        .addNewContainer()
                        .withName("csi-driver")
                        .withImage("driver:1")
                        .endContainer()
                        .addToContainers(sidecar)
                        .endSpec()
                        .build())
                .create();
        client.resource(pod)
                .editStatus(found -> new PodBuilder(found)
                        .withNewStatus()
                        .withPhase("Running")
                        .withPodIP(address)
                        .addNewPodIP(address)
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .addNewContainerStatus()
                        .withName("csi-driver")
                        .withContainerID("containerd://1")
                        .withImage("driver:1")
                        .withImageID("driver:1")
                        .withReady(true)
                        .withRestartCount(0)
                        .endContainerStatus()
                        .endStatus()
                        .build());
    }
}
