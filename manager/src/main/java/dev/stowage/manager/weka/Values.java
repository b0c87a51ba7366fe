package dev.stowage.manager.weka;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * What is decided for the drivers of all clients, with the names and defaults of the original's chart.
 *
 * @param keepNodeServerUntilUnmounted whether, under a new driver name, the node server of the former one stays on a node that uses volumes
 * @param adopt whether objects that somebody else has made may be changed
 * @param storageClassParameters instead of those that name the filesystem
 * @param controllerTemplate the pod of a driver that is called otherwise than the usual one
 * @param nodeTemplate the same on nodes
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Values(
        Boolean installationEnabled,
        String namespace,
        String driverVersion,
        String image,
        String provisionerImage,
        String attacherImage,
        String livenessProbeImage,
        String resizerImage,
        String snapshotterImage,
        String registrarImage,
        Boolean storageClassCreationDisabled,
        Boolean preventNewWorkloadOnClientContainerNotRunning,
        Boolean keepNodeServerUntilUnmounted,
        Boolean adopt,
        String filesystemName,
        Map<String, String> storageClassParameters,
        Integer logLevel,
        Integer controllerReplicas,
        ResourceRequirements controllerResources,
        ResourceRequirements nodeResources,
        @Nullable PodTemplateSpec controllerTemplate,
        @Nullable PodTemplateSpec nodeTemplate) {

    private static final String STOCK = "registry.k8s.io/sig-storage/";

    public Values {
        installationEnabled = Objects.requireNonNullElse(installationEnabled, false);
        namespace = Objects.requireNonNullElse(namespace, "weka-operator-system");
        driverVersion = Objects.requireNonNullElse(driverVersion, "2.7.2");
        image = Objects.requireNonNullElse(image, "quay.io/weka.io/csi-wekafs:v2.7.2");
        provisionerImage = Objects.requireNonNullElse(provisionerImage, STOCK + "csi-provisioner:v5.1.0");
        attacherImage = Objects.requireNonNullElse(attacherImage, STOCK + "csi-attacher:v4.8.0");
        livenessProbeImage = Objects.requireNonNullElse(livenessProbeImage, STOCK + "livenessprobe:v2.15.0");
        resizerImage = Objects.requireNonNullElse(resizerImage, STOCK + "csi-resizer:v1.13.1");
        snapshotterImage = Objects.requireNonNullElse(snapshotterImage, STOCK + "csi-snapshotter:v8.2.0");
        registrarImage = Objects.requireNonNullElse(registrarImage, STOCK + "csi-node-driver-registrar:v2.13.0");
        storageClassCreationDisabled = Objects.requireNonNullElse(storageClassCreationDisabled, false);
        preventNewWorkloadOnClientContainerNotRunning =
                Objects.requireNonNullElse(preventNewWorkloadOnClientContainerNotRunning, true);
        keepNodeServerUntilUnmounted = Objects.requireNonNullElse(keepNodeServerUntilUnmounted, false);
        adopt = Objects.requireNonNullElse(adopt, false);
        filesystemName = Objects.requireNonNullElse(filesystemName, "default");
        // In their order, so that the same values always make the same digest.
        storageClassParameters =
                new TreeMap<>(Objects.requireNonNullElse(storageClassParameters, Map.<String, String>of()));
        logLevel = Objects.requireNonNullElse(logLevel, 5);
        controllerReplicas = Objects.requireNonNullElse(controllerReplicas, 2);
        controllerResources = Objects.requireNonNullElseGet(controllerResources, ResourceRequirements::new);
        nodeResources = Objects.requireNonNullElseGet(nodeResources, ResourceRequirements::new);
    }

    /** Values that may not make sense. */
    record Read(Values values, List<String> problems) {
        private static final Values DEFAULTS = read(Map.of(), new KubernetesSerialization());

        static Read unknown(String why) {
            return new Read(DEFAULTS, List.of(why));
        }

        /** The same values, because others make no sense. */
        Read refused(List<String> why) {
            return new Read(values, why);
        }

        Read refused(String why) {
            return refused(List.of(why));
        }
    }

    /** @param text as people write it */
    static Read parse(String text, KubernetesSerialization serialization) {
        try {
            Map<?, ?> tree = serialization.unmarshal(text, Map.class);
            var fields = tree == null ? Map.<String, Object>of() : strings(tree);
            var values = read(fields, serialization);
            return new Read(values, values.problems(fields));
        } catch (IllegalArgumentException | YamlEngineException | KubernetesClientException wrong) {
            return Read.unknown(
                    String.valueOf(wrong.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private static Values read(Map<String, Object> fields, KubernetesSerialization serialization) {
        return serialization.convertValue(fields, Values.class);
    }

    /** What is given as nothing is not given. */
    private static Map<String, Object> strings(Map<?, ?> tree) {
        var fields = new TreeMap<String, Object>();
        tree.forEach((key, value) -> {
            if (value != null && !(value instanceof Map<?, ?> map && map.isEmpty())) {
                fields.put(String.valueOf(key), value);
            }
        });
        return fields;
    }

    private List<String> problems(Map<String, Object> fields) {
        var known = Arrays.stream(Values.class.getRecordComponents())
                .map(RecordComponent::getName)
                .collect(Collectors.toSet());
        var unknown = new TreeSet<>(fields.keySet());
        unknown.removeAll(known);
        var problems = new ArrayList<String>();
        unknown.forEach(key -> problems.add("csi." + key + ": there is no such value"));
        for (String key : List.of("namespace", "image", "filesystemName")) {
            if (fields.get(key) instanceof String text && text.isBlank()) {
                problems.add("csi." + key + ": is empty");
            }
        }
        if (controllerReplicas < 1) {
            problems.add("csi.controllerReplicas: " + controllerReplicas + " is less than 1");
        }
        return problems;
    }
}
