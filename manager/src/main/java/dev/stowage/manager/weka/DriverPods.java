package dev.stowage.manager.weka;

import dev.stowage.kube.weka.CsiConfig;
import dev.stowage.kube.weka.WekaClient;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The driver's own part of its pods. Sidecars, socket and account come to it as to any other driver. */
final class DriverPods {

    private static final String NAME = "wekafs";

    private final String driver;
    private final Values values;
    private final WekaClient.Spec client;
    private final CsiConfig.Advanced advanced;

    DriverPods(String driver, Values values, WekaClient.Spec client, CsiConfig.Advanced advanced) {
        this.driver = driver;
        this.values = values;
        this.client = client;
        this.advanced = advanced;
    }

    /** What several clients that share the driver have in common. Tolerations come with each container. */
    PodTemplateSpec node() {
        var template = values.nodeTemplate();
        return told(template == null ? usual("node", values.nodeResources()) : template);
    }

    PodTemplateSpec controller() {
        var given = values.controllerTemplate();
        var template = told(given == null ? usual("controller", values.controllerResources()) : given);
        var tolerations = new ArrayList<Toleration>(Tolerations.of(client));
        tolerations.addAll(Objects.requireNonNullElse(advanced.controllerTolerations(), List.<Toleration>of()));
        return new PodTemplateSpecBuilder(template)
                .editOrNewMetadata()
                .addToLabels(advanced.controllerLabels())
                .endMetadata()
                .editSpec()
                .addToNodeSelector(client.nodeSelector())
                .addAllToTolerations(tolerations)
                .endSpec()
                .build();
    }

    private PodTemplateSpec usual(String mode, ResourceRequirements resources) {
        var container = new ContainerBuilder()
                .withName(NAME)
                .withImage(values.image())
                .withArgs(arguments(mode))
                .withResources(resources)
                .withNewSecurityContext()
                .withPrivileged(true)
                .endSecurityContext()
                .build();
        return new PodTemplateSpecBuilder()
                .withNewSpec()
                .withContainers(container)
                .withPriorityClassName(mode.equals("node") ? "system-node-critical" : "system-cluster-critical")
                .endSpec()
                .build();
    }

    private List<String> arguments(String mode) {
        var arguments = new ArrayList<>(List.of(
                "--v=" + values.logLevel(),
                "--drivername=$(CSI_DRIVER_NAME)",
                "--endpoint=$(CSI_ENDPOINT)",
                "--nodeid=$(KUBE_NODE_NAME)",
                "--csimode=" + mode,
                "--newvolumeprefix=csivol-",
                "--grpcrequesttimeoutseconds=30"));
        if (!Boolean.TRUE.equals(advanced.enforceTrustedHttps())) {
            arguments.add("--allowinsecurehttps");
        }
        if (Boolean.TRUE.equals(advanced.skipGarbageCollection())) {
            arguments.add("--skipgarbagecollection");
        }
        return arguments;
    }

    /** With what the driver has to know, under names that its arguments can use. */
    private PodTemplateSpec told(PodTemplateSpec template) {
        var spec = template.getSpec();
        if (spec == null || spec.getContainers() == null || spec.getContainers().isEmpty()) {
            // It is refused for that, with what is wrong.
            return template;
        }
        var containers = new ArrayList<Container>(spec.getContainers());
        containers.set(
                0,
                new ContainerBuilder(containers.getFirst())
                        .addAllToEnv(environment())
                        .build());
        return new PodTemplateSpecBuilder(template)
                .editSpec()
                .withContainers(containers)
                .endSpec()
                .build();
    }

    private List<EnvVar> environment() {
        var variables = new ArrayList<EnvVar>();
        Map.of(
                        "CSI_DRIVER_NAME",
                        driver,
                        "CSI_DRIVER_VERSION",
                        values.driverVersion(),
                        "CSI_ENDPOINT",
                        "unix:///csi/csi.sock")
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> variables.add(new EnvVar(each.getKey(), each.getValue(), null)));
        variables.add(new EnvVarBuilder()
                .withName("KUBE_NODE_NAME")
                .withNewValueFrom()
                .withNewFieldRef("v1", "spec.nodeName")
                .endValueFrom()
                .build());
        return variables;
    }

    /** The node server's template with what the client of one container adds to it. */
    static PodTemplateSpec beside(PodTemplateSpec template, List<Toleration> tolerations, Map<String, String> labels) {
        return new PodTemplateSpecBuilder(template)
                .editOrNewMetadata()
                .addToLabels(labels)
                .endMetadata()
                .editSpec()
                .addAllToTolerations(tolerations)
                .endSpec()
                .build();
    }
}
