package dev.stowage.manager.weka;

import java.util.List;
import java.util.Set;

/**
 * How a driver is.
 *
 * @param sharers the clients that have it, as NAMESPACE/NAME
 * @param deployed whether everything of it is there
 * @param hash of the configuration that it is made of
 * @param reason why it is not deployed
 */
record DriverState(Set<String> sharers, boolean deployed, String hash, String reason, String message) {

    /** Nothing is left of it but what holds mounts. */
    static final DriverState REMOVED = new DriverState(Set.of(), false, "", "Removed", "");

    /** @param troubles of its node servers */
    static DriverState deployed(Set<String> sharers, String hash, String driver, List<String> troubles) {
        String message = driver + " is deployed";
        return new DriverState(
                sharers,
                true,
                hash,
                "Deployed",
                troubles.isEmpty() ? message : message + ", but not on every node: " + String.join("; ", troubles));
    }

    static DriverState waiting(Set<String> sharers, String hash, String reason, String message) {
        return new DriverState(sharers, false, hash, reason, message);
    }
}
