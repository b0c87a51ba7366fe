package dev.stowage.manager;

import dev.stowage.manager.driver.RenderingSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a manager is to be.
 *
 * @param kubeconfig for those who come from outside; nothing for a pod
 * @param namespace where the managers of a cluster elect their leader
 * @param protectsVolumes whether drivers are not removed while their volumes are attached, where a deployment does not say it
 * @param rolloutDeadline how long a driver of a new template may take on a node before the last good one comes back
 * @param clients the ConfigMap with what is decided for drivers that follow storage clients, as NAMESPACE/NAME; nothing to leave those alone
 * @param again how often everything is looked at although nothing has changed
 */
public record ManagerSettings(
        Optional<Path> kubeconfig,
        String namespace,
        String version,
        Duration again,
        Duration rolloutDeadline,
        RenderingSettings rendering,
        boolean protectsVolumes,
        Optional<String> clients) {}
