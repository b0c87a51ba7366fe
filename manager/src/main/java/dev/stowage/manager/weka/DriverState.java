package dev.stowage.manager.weka;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a driver is.
 *
 * @param sharers the clients that have it, as NAMESPACE/NAME
 * @param deployed whether everything of it is there
 * @param hash of the configuration that it is made of
 * @param reason why it is not deployed
 * @param outdated the nodes whose servers are of a former template until others are replaced, or until the API server takes another
 */
record DriverState(
        Set<String> sharers, boolean deployed, String hash, String reason, String message, Set<String> outdated) {

    private static final int MOST_NAMES = 10;

    /** Nothing is left of it but what holds mounts. */
    static final DriverState REMOVED = new DriverState(Set.of(), false, "", "Removed", "", Set.of());

    static DriverState deployed(Set<String> sharers, String hash, String driver, ContainerServers.Result servers) {
        var message = new StringBuilder(driver + " is deployed");
        if (!servers.errors().isEmpty()) {
            message.append(", but not on every node: ").append(String.join("; ", servers.errors()));
        }
        var outdated = servers.outdated();
        if (!outdated.isEmpty()) {
            String some = outdated.stream().sorted().limit(MOST_NAMES).collect(Collectors.joining(", "));
            int more = outdated.size() - MOST_NAMES;
            message.append("; node servers of a former template wait to be replaced, on ")
                    .append(some)
                    .append(more > 0 ? " and " + more + " more" : "");
        }
        return new DriverState(sharers, true, hash, "Deployed", message.toString(), outdated);
    }

    static DriverState waiting(Set<String> sharers, String hash, String reason, String message) {
        return new DriverState(sharers, false, hash, reason, message, Set.of());
    }
}
