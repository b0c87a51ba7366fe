package dev.stowage.cli.bench;

import java.util.OptionalDouble;

/** What one operation costs one driver with many volumes present and with few, measured in turns. */
record Scaling(String driver, String operation, int callers, int many, int few, Outcome withMany, Outcome withFew) {

    OptionalDouble ratio() {
        return withMany instanceof Outcome.Measured large && withFew instanceof Outcome.Measured small
                ? OptionalDouble.of(large.statistics().ratioTo(small.statistics()))
                : OptionalDouble.empty();
    }
}
