package dev.stowage.manager.weka;

import dev.stowage.kube.csidriver.CsiDriverDeployment.BesidePods;
import dev.stowage.kube.csidriver.CsiDriverDeployment.ContainerImages;
import dev.stowage.kube.csidriver.CsiDriverDeployment.DriverObject;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Sidecars;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import dev.stowage.kube.csidriver.CsiDriverDeployment.StorageClassTemplate;
import dev.stowage.kube.weka.CsiConfig;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.driver.Habits;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The driver of a client, in the words in which any driver is described. */
final class DriverSpecs {

    static final Habits HABITS = new Habits(
            "plugins",
            9899,
            9898,
            9809,
            OptionalInt.of(5),
            Map.of("csi-provisioner", List.of("--feature-gates=Topology=true")));

    private static final String SOCKET = "/csi/csi.sock";
    private static final String DIRECT = "-mountdirect";
    private static final int PROBE_PERIOD = 10;

    private final Values values;

    DriverSpecs(Values values) {
        this.values = values;
    }

    /**
     * What the driver is to be.
     *
     * @param client the one that answers for the driver
     * @param config what is said of its driver, by the client or its cluster
     */
    Spec of(String driver, WekaClient client, CsiConfig config) {
        var pods = new DriverPods(driver, values, client.getSpec(), config.advancedOrNone());
        boolean elsewhere = Boolean.TRUE.equals(config.disableControllerCreation());
        return new Spec(
                null,
                driver,
                pods.node(),
                elsewhere ? null : pods.controller(),
                SOCKET,
                PROBE_PERIOD,
                null,
                values.storageClassCreationDisabled() ? List.of() : classes(driver, client),
                null,
                new ContainerImages(
                        values.attacherImage(),
                        values.provisionerImage(),
                        values.registrarImage(),
                        values.livenessProbeImage(),
                        values.resizerImage(),
                        values.snapshotterImage()),
                null,
                new Sidecars("Always", "Always", null, null),
                new DriverObject(true, true, "File", List.of("Persistent"), null, null, null, null),
                null,
                null,
                null,
                null,
                new BesidePods(
                        null,
                        new LabelSelectorBuilder()
                                .addToMatchLabels(WekaResources.MODE, WekaResources.MODE_CLIENT)
                                .build()),
                null);
    }

    /** Two, and neither waits for the other. */
    private List<StorageClassTemplate> classes(String driver, WekaClient client) {
        String name = "storageclass-" + WekaNames.dashed(driver) + "-" + DriverNames.clean(values.filesystemName());
        var parameters = parameters(client);
        var classes = new ArrayList<StorageClassTemplate>();
        classes.add(template(name, parameters, List.of()));
        classes.add(template(name + DIRECT, parameters, List.of("forcedirect")));
        return classes;
    }

    private static StorageClassTemplate template(String name, Map<String, String> parameters, List<String> options) {
        return new StorageClassTemplate(
                new ObjectMetaBuilder().withName(name).build(),
                false,
                parameters,
                "Delete",
                options,
                true,
                "Immediate",
                null);
    }

    private Map<String, String> parameters(WekaClient client) {
        var parameters = new TreeMap<String, String>();
        if (values.storageClassParameters().isEmpty()) {
            parameters.put("filesystemName", values.filesystemName());
            parameters.put("volumeType", "dir/v1");
            parameters.put("capacityEnforcement", "HARD");
        } else {
            parameters.putAll(values.storageClassParameters());
        }
        var target = client.getSpec().targetCluster();
        String secret = client.getSpec().wekaSecretRef();
        if (target != null) {
            secrets(parameters, "weka-csi-" + target.name(), values.namespace());
        } else if (secret != null && !secret.isEmpty()) {
            secrets(parameters, secret, client.getMetadata().getNamespace());
        }
        return parameters;
    }

    private static void secrets(Map<String, String> parameters, String name, String namespace) {
        for (String use :
                List.of("provisioner", "controller-publish", "controller-expand", "node-stage", "node-publish")) {
            parameters.put("csi.storage.k8s.io/" + use + "-secret-name", name);
            parameters.put("csi.storage.k8s.io/" + use + "-secret-namespace", namespace);
        }
    }
}
