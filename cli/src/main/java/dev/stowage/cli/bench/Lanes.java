package dev.stowage.cli.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/** The lanes that exist, kept for the whole run so that their volumes are prepared once. */
final class Lanes {

    private static final int AT_ONCE = 8;

    private final Map<Key, List<Lane>> open = new HashMap<>();

    private record Key(DriverUnderTest driver, Workload workload) {}

    /** So many lanes, made where they do not exist yet. */
    List<Lane> of(DriverUnderTest driver, Workload workload, int callers) throws Exception {
        var lanes = open.computeIfAbsent(new Key(driver, workload), absent -> new ArrayList<>());
        var missing = new ArrayList<Callable<Lane>>();
        for (int i = lanes.size(); i < callers; i++) {
            int number = i;
            missing.add(() -> workload.lane(driver, number));
        }
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (var lane : threads.invokeAll(missing)) {
                lanes.add(lane.get());
            }
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
        return lanes.subList(0, callers);
    }

    /** Closes the lanes of a driver and counts what fails. */
    void close(DriverUnderTest driver, Samples failures) {
        for (var entry : open.entrySet()) {
            if (entry.getKey().driver() == driver) {
                for (var lane : entry.getValue()) {
                    try {
                        lane.close();
                    } catch (Exception failure) {
                        failures.fail(entry.getKey().workload().title() + ", taking down: " + Callers.reason(failure));
                    }
                }
            }
        }
        open.keySet().removeIf(key -> key.driver() == driver);
    }
}
