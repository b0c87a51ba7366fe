package dev.stowage.manager.driver;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a driver tells of itself once it runs.
 *
 * @param name what it calls itself; empty when that is not known
 * @param capabilities of all its services, by their names in CSI
 */
public record Report(String name, String version, Set<String> capabilities) {

    public static final Optional<Report> NONE = Optional.empty();

    public Report {
        capabilities = Set.copyOf(capabilities);
    }

    /** What is wrong when it calls itself otherwise than it is called here: nobody would find it. */
    public Optional<String> otherName(String driverName) {
        return name.isEmpty() || name.equals(driverName)
                ? Optional.empty()
                : Optional.of(
                        "the driver calls itself %s and not %s; set driverName to what it answers to GetPluginInfo, or tell it its name"
                                .formatted(name, driverName));
    }

    /** Of what can have changed since, only what it can do counts until it is asked again. */
    public Report nameless() {
        return new Report("", version, capabilities);
    }

    /** Of one that may make snapshots of single volumes only. */
    public Report withoutGroupSnapshots() {
        return new Report(
                name,
                version,
                capabilities.stream()
                        .filter(capability -> !capability.equals(GroupSnapshots.CAPABILITY))
                        .collect(Collectors.toSet()));
    }

    boolean can(String capability) {
        return capabilities.contains(capability);
    }
}
