package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.manager.beside.MountHolders;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How many volumes each driver has. They are counted now and then, for all drivers at once, and a number never shrinks: sidecars are not
 * restarted because volumes went away.
 */
final class VolumeCounts {

    private static final long PAGE = 500;

    private final KubernetesClient client;
    private final Duration every;
    private final Map<String, Long> most = new HashMap<>();
    private long counted = Long.MIN_VALUE;

    VolumeCounts(KubernetesClient client, Duration every) {
        this.client = client;
        this.every = every;
    }

    synchronized long of(String driver) {
        long now = System.nanoTime();
        if (counted == Long.MIN_VALUE || now - counted > every.toNanos()) {
            count().forEach((name, number) -> most.merge(name, number, Math::max));
            counted = now;
        }
        return most.getOrDefault(driver, 0L);
    }

    private Map<String, Long> count() {
        var numbers = new HashMap<String, Long>();
        String next = null;
        do {
            var options =
                    new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build();
            var page = Api.call(
                    "persistent volumes", () -> client.persistentVolumes().list(options));
            for (var volume : page.getItems()) {
                String driver = MountHolders.driverOf(volume);
                if (driver != null) {
                    numbers.merge(driver, 1L, Long::sum);
                }
            }
            next = page.getMetadata().getContinue();
        } while (next != null && !next.isEmpty());
        return numbers;
    }
}
