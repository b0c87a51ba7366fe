package dev.stowage.manager.weka;

import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.apply.Ownership;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The pod of a client on a node. */
final class ClientPod {

    private ClientPod() {}

    static ObjectMeta metadata(WekaContainer container) {
        var metadata = container.getMetadata();
        var built = new ObjectMetaBuilder()
                .withName(metadata.getName())
                .withNamespace(metadata.getNamespace())
                .addToLabels(WekaResources.MODE, WekaResources.MODE_CLIENT)
                .addToAnnotations(WekaResources.CONTAINER, Key.named(container))
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(container.getApiVersion())
                        .withKind(container.getKind())
                        .withName(metadata.getName())
                        .withUid(metadata.getUid())
                        .withController(true)
                        .build());
        Ownership.label(container, WekaResources.CLIENT)
                .ifPresent(client -> built.addToLabels(WekaResources.CLIENT, client));
        return built.build();
    }

    static PodTemplateSpec template(WekaContainer container) {
        var spec = container.getSpec();
        var process = new ContainerBuilder()
                .withName("weka-container")
                .withImage(spec.image())
                .withEnv(environment(container))
                .withPorts(ports(spec))
                .withResources(spec.resources())
                .withReadinessProbe(spec.readinessProbe())
                .withNewSecurityContext()
                .withPrivileged(true)
                .endSecurityContext()
                .build();
        var template = new PodTemplateSpecBuilder()
                .withNewSpec()
                .withContainers(process)
                .withHostNetwork(true)
                .withDnsPolicy("ClusterFirstWithHostNet")
                .withServiceAccountName(spec.serviceAccountName())
                .withTolerations(spec.tolerations())
                .endSpec();
        if (spec.imagePullSecret() != null && !spec.imagePullSecret().isEmpty()) {
            template.editSpec().addNewImagePullSecret(spec.imagePullSecret()).endSpec();
        }
        return template.build();
    }

    private static List<EnvVar> environment(WekaContainer container) {
        var spec = container.getSpec();
        var variables = new ArrayList<EnvVar>();
        variables.add(new EnvVar("NAME", container.getMetadata().getName(), null));
        variables.add(new EnvVar("MODE", WekaResources.MODE_CLIENT, null));
        number(variables, "PORT", spec.port());
        number(variables, "AGENT_PORT", spec.agentPort());
        if (spec.portRange() != null) {
            number(variables, "BASE_PORT", spec.portRange().basePort());
            number(variables, "PORT_RANGE", spec.portRange().portRange());
        }
        var joined = Objects.requireNonNullElse(spec.joinIpPorts(), List.<String>of());
        if (!joined.isEmpty()) {
            variables.add(new EnvVar("JOIN_IP_PORTS", String.join(",", joined), null));
        }
        return variables;
    }

    private static void number(List<EnvVar> variables, String name, @Nullable Integer value) {
        if (value != null) {
            variables.add(new EnvVar(name, String.valueOf(value), null));
        }
    }

    private static List<ContainerPort> ports(WekaContainer.Spec spec) {
        var ports = new ArrayList<ContainerPort>();
        port(ports, "weka", spec.port());
        port(ports, "agent", spec.agentPort());
        return ports;
    }

    /** In the network of the node, where a container's port is the node's. */
    private static void port(List<ContainerPort> ports, String name, @Nullable Integer number) {
        if (number != null) {
            ports.add(new ContainerPortBuilder()
                    .withName(name)
                    .withContainerPort(number)
                    .withHostPort(number)
                    .withProtocol("TCP")
                    .build());
        }
    }
}
