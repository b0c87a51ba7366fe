package dev.stowage.backend.vsc.central.member;

import dev.stowage.arrayapi.ArrayPool;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What an array has to be like to become a member. */
final class Requirements {

    private static final Pattern VERSION = Pattern.compile("([0-9]+)\\.([0-9]+)(?:-sp([0-9]+))?.*");
    private static final String OLDEST = "20.12-sp2";

    private Requirements() {}

    /** Why not, or nothing if it is. */
    static Optional<String> objection(String softwareVersion, List<ArrayPool> pools) {
        if (number(softwareVersion).isEmpty()) {
            return Optional.of(
                    "its version '%s' cannot be understood; %s or newer is needed".formatted(softwareVersion, OLDEST));
        }
        if (number(softwareVersion).get() < number(OLDEST).orElseThrow()) {
            return Optional.of(
                    "its version %s is too old; upgrade it to %s or newer".formatted(softwareVersion, OLDEST));
        }
        if (pools.size() != 1) {
            return Optional.of("it has %s; exactly one is needed"
                    .formatted(
                            pools.isEmpty()
                                    ? "no pool"
                                    : pools.size() + " pools ("
                                            + pools.stream().map(ArrayPool::id).collect(Collectors.joining(", "))
                                            + ")"));
        }
        return Optional.empty();
    }

    /** Software before 23.03 cannot mark volumes as managed from outside. */
    static boolean legacy(String softwareVersion) {
        return number(softwareVersion).orElse(0L) < number("23.03").orElseThrow();
    }

    private static Optional<Long> number(String version) {
        var match = VERSION.matcher(version);
        if (!match.matches()) {
            return Optional.empty();
        }
        long servicePack = match.group(3) == null ? 0 : Long.parseLong(match.group(3));
        return Optional.of((Long.parseLong(match.group(1)) * 100 + Long.parseLong(match.group(2))) * 100 + servicePack);
    }
}
