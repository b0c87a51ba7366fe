package dev.stowage.cli.bench;

import java.util.OptionalDouble;

/**
 * One line of the comparison.
 *
 * @param volumes how many volumes are present
 */
record Row(String operation, int volumes, int callers, Outcome ours, Outcome reference) {

    /** Our median in terms of the reference's, if both were measured. */
    OptionalDouble ratio() {
        return ours instanceof Outcome.Measured our && reference instanceof Outcome.Measured their
                ? OptionalDouble.of(our.statistics().ratioTo(their.statistics()))
                : OptionalDouble.empty();
    }
}
