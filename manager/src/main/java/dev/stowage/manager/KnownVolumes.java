package dev.stowage.manager;

import dev.stowage.kube.Pages;
import dev.stowage.manager.beside.MountHolders;
import dev.stowage.manager.driver.Volumes;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The volumes that each driver has. They are looked at now and then, for all drivers at once, and never become less: sidecars are not
 * restarted because volumes went away.
 */
final class KnownVolumes {

    private final KubernetesClient client;
    private final Duration every;
    private final Map<String, Volumes> known = new HashMap<>();
    private long looked = Long.MIN_VALUE;

    KnownVolumes(KubernetesClient client, Duration every) {
        this.client = client;
        this.every = every;
    }

    synchronized Volumes of(String driver) {
        long now = System.nanoTime();
        if (looked == Long.MIN_VALUE || now - looked > every.toNanos()) {
            look().forEach((name, volumes) -> known.merge(name, volumes, Volumes::most));
            looked = now;
        }
        return known.getOrDefault(driver, Volumes.NONE);
    }

    private Map<String, Volumes> look() {
        var all = new HashMap<String, Volumes>();
        Pages.each("persistent volumes", client.persistentVolumes(), volume -> {
            String driver = MountHolders.driverOf(volume);
            if (driver != null) {
                all.merge(driver, Volumes.one(volume), Volumes::and);
            }
        });
        return all;
    }
}
