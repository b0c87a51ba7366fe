package dev.stowage.manager.weka;

import dev.stowage.kube.weka.WekaClient;
import dev.stowage.manager.apply.Adoption;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** What is still to end before something is gone. */
final class Departures {

    /** A pod whose time to end has passed by so much is on a node that does not answer. It keeps its pod until it does, and ends it then. */
    private static final Duration LOST = Duration.ofSeconds(10);

    private final World world;
    private final InstantSource clock;

    Departures(World world, InstantSource clock) {
        this.world = world;
        this.clock = clock;
    }

    /** Whether nobody waits for the end of a pod any more. */
    boolean isLost(Pod pod) {
        String end = pod.getMetadata().getDeletionTimestamp();
        return end != null && Instant.parse(end).plus(LOST).isBefore(clock.instant());
    }

    /** The pods of a client that is being deleted that are waited for. Containers end at once, and their pods after them. */
    List<String> podsOf(WekaClient client) {
        return world.podsOf(client).stream()
                .filter(pod -> !isLost(pod))
                .map(Adoption::named)
                .sorted()
                .toList();
    }

    /** Whether nothing of a client runs any more. */
    boolean isOver(WekaClient client) {
        return world.containersOf(client).isEmpty() && podsOf(client).isEmpty();
    }
}
