package dev.stowage.manager;

import dev.stowage.kube.Api;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the API server serves beside what every one does. Somebody may install more of it, so it is asked again, but not in every pass. */
final class ServedResources {

    private static final Duration GOOD_FOR = Duration.ofMinutes(1);

    private final Discovery discovery;
    private final InstantSource clock;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** How the API server is asked. */
    interface Discovery {
        /** @return nothing when it does not serve that version */
        @Nullable
        APIResourceList resources(String version);
    }

    private record Known(Instant asked, Set<String> resources) {}

    ServedResources(Discovery discovery, InstantSource clock) {
        this.discovery = discovery;
        this.clock = clock;
    }

    /** The plural names of the resources of a group and version; none when it is not served. */
    Set<String> of(String version) {
        var now = clock.instant();
        var last = known.get(version);
        if (last != null && last.asked().plus(GOOD_FOR).isAfter(now)) {
            return last.resources();
        }
        var found = Api.attempt("looking for " + version, () -> discovery.resources(version))
                .map(ServedResources::names)
                .orElse(Set.of());
        known.put(version, new Known(now, found));
        return found;
    }

    private static Set<String> names(APIResourceList list) {
        return list.getResources().stream().map(APIResource::getName).collect(Collectors.toUnmodifiableSet());
    }
}
