package dev.stowage.manager.weka;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a driver is.
 *
 * @param sharers the clients that have it, as NAMESPACE/NAME
 * @param deployed whether everything of it is there
 * @param hash of the configuration that it is made of
 * @param reason why it is not deployed
 * @param outdated the nodes whose servers are of a former template until others are replaced, or until the API server takes another
 * @param errors what could not be done, and why; the message has them, too
 */
record DriverState(
        Set<String> sharers,
        boolean deployed,
        String hash,
        String reason,
        String message,
        Set<String> outdated,
        List<String> errors) {

    private static final int MOST_NAMES = 10;

    /** Nothing is left of it but what holds mounts. */
    static final DriverState REMOVED = new DriverState(Set.of(), false, "", "Removed", "", Set.of(), List.of());

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
        return new DriverState(
                sharers, true, hash, "Deployed", message.toString(), outdated, List.copyOf(servers.errors()));
    }

    static DriverState failed(Set<String> sharers, String hash, List<String> errors) {
        return new DriverState(
                sharers, false, hash, "Failed", String.join("; ", errors), Set.of(), List.copyOf(errors));
    }

    /** It stays as it is, and what would have gone all the same did not. */
    static DriverState held(Set<String> sharers, String reason, String message, List<String> errors) {
        String all = Stream.concat(Stream.of(message), errors.stream()).collect(Collectors.joining("; "));
        return new DriverState(sharers, false, "", reason, all, Set.of(), List.copyOf(errors));
    }
}
