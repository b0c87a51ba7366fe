package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSetUpdateStrategy;
import io.fabric8.kubernetes.api.model.apps.DaemonSetUpdateStrategyBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStrategy;
import io.fabric8.kubernetes.api.model.apps.DeploymentStrategyBuilder;

/** How pods are replaced by those of another template. */
final class Updates {

    private Updates() {}

    /**
     * One node at a time, and never two drivers on a node: both would want the same socket. The pods of drivers that hold mounts are
     * ended by the manager.
     */
    static DaemonSetUpdateStrategy ofNodes(Spec spec) {
        if (Boolean.TRUE.equals(spec.holdsMounts()) || "OnDelete".equals(spec.nodeUpdateStrategy())) {
            return new DaemonSetUpdateStrategyBuilder().withType("OnDelete").build();
        }
        return new DaemonSetUpdateStrategyBuilder()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withMaxUnavailable(new IntOrString(1))
                .withMaxSurge(new IntOrString(0))
                .endRollingUpdate()
                .build();
    }

    /** The former controller stays until the new one is ready, unless both would want the same port of a node. */
    static DeploymentStrategy ofController(PodTemplateSpec template) {
        boolean alone = Boolean.TRUE.equals(template.getSpec().getHostNetwork());
        return new DeploymentStrategyBuilder()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withMaxUnavailable(new IntOrString(alone ? 1 : 0))
                .withMaxSurge(new IntOrString(alone ? 0 : 1))
                .endRollingUpdate()
                .build();
    }
}
