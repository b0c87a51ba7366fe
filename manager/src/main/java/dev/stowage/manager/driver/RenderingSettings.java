package dev.stowage.manager.driver;

import java.util.Map;

/**
 * What the manager decides for all drivers.
 *
 * @param kubeletDirectory without a slash at its end
 * @param infrastructureNodes where controllers run that do not say it themselves; empty for anywhere
 */
public record RenderingSettings(
        SidecarImages images,
        String kubeletDirectory,
        Map<String, String> infrastructureNodes,
        int controllerReplicas) {

    public RenderingSettings {
        infrastructureNodes = Map.copyOf(infrastructureNodes);
    }
}
