package dev.stowage.cli.bench.arrays;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param few the number of volumes that the largest number is compared with
 * @param callers how many CSI calls are made at once while volumes are made
 * @param attachers how many are made at once while volumes are attached
 * @param turn how long one turn with a sick array, or without, takes
 * @param pairs how many such turns there are of each kind
 * @param interval how often the controller looks at every array
 * @param timeout how long an array may take for one call
 */
record ArraysPlan(
        int arrays,
        int volumes,
        int few,
        int nodes,
        int callers,
        int attachers,
        Duration turn,
        int pairs,
        Duration interval,
        Duration timeout) {

    ArraysPlan {
        if (arrays < 2 || volumes < few || few < arrays || nodes < 1 || callers < 1) {
            throw new IllegalArgumentException(
                    "at least 2 arrays, a node, a caller, and a volume for each array are needed");
        }
    }
}
