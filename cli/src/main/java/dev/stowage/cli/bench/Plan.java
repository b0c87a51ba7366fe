package dev.stowage.cli.bench;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param volumes how many volumes are present, in rising order
 * @param callers how many calls are made at once, in rising order
 * @param cell how long one operation of one driver is measured
 * @param patience how long a single round may take with more callers than usual; what would take longer is not run, and the report
 *     says so
 * @param populating how long making the volumes that are present may take
 * @param data bytes in a volume of which snapshots and clones are made
 * @param starts how often a start is measured
 */
record Plan(
        List<Integer> volumes,
        List<Integer> callers,
        Duration cell,
        Duration patience,
        Duration populating,
        long data,
        int starts) {

    /** The number of volumes that the largest number is compared with. */
    static final int FEW = 100;

    Plan {
        if (volumes.isEmpty() || callers.isEmpty()) {
            throw new IllegalArgumentException("at least one number of volumes and one of callers is needed");
        }
        volumes = volumes.stream().sorted().distinct().toList();
        callers = callers.stream().sorted().distinct().toList();
    }

    int mostVolumes() {
        return volumes.getLast();
    }

    /** The number of callers that the aims speak of, or the nearest there is. */
    int usualCallers() {
        return callers.contains(8) ? 8 : callers.getLast();
    }
}
