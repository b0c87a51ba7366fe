package dev.stowage.manager.driver;

import java.util.Optional;
import java.util.Set;

/**
 * What a driver tells of itself once it runs.
 *
 * @param capabilities of all its services, by their names in CSI
 */
public record Report(String name, String version, Set<String> capabilities) {

    public static final Optional<Report> NONE = Optional.empty();

    public Report {
        capabilities = Set.copyOf(capabilities);
    }

    boolean can(String capability) {
        return capabilities.contains(capability);
    }
}
