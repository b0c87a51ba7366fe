package dev.stowage.manager.driver;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What drivers of one family are used to.
 *
 * @param directory under the kubelet's, in which each driver has a directory for its socket; empty for that one itself
 * @param nodeHealth where the liveness probe on nodes answers, in a network of its own
 * @param controllerHealth where the one beside the controller does
 * @param registrar where the registrar does
 * @param workers of each sidecar; where nothing is said, the number of volumes decides
 * @param flags further ones of sidecars, by the names of their containers
 */
public record Habits(
        String directory,
        int nodeHealth,
        int controllerHealth,
        int registrar,
        OptionalInt workers,
        Map<String, List<String>> flags) {

    public static final Habits USUAL = new Habits("", 9808, 9808, 9809, OptionalInt.empty(), Map.of());

    public Habits {
        flags = Map.copyOf(flags);
    }

    /** Where the socket of a driver is, under the kubelet's directory. */
    String directoryOf(String driver) {
        return directory.isEmpty() ? driver : directory + "/" + driver;
    }

    List<String> flags(Sidecar sidecar) {
        return flags.getOrDefault(sidecar.container(), List.of());
    }
}
