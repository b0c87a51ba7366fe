package dev.stowage.cli.bench;

/** An operation that is measured. */
interface Workload {

    String title();

    /** A lane for the caller of this number, counted from 0. */
    Lane lane(DriverUnderTest driver, int number) throws Exception;

    /** Whether it may leave much data in memory that is not on disk yet. */
    default boolean copiesData() {
        return false;
    }

    /** Whether an aim speaks of it; others are shown for information. */
    default boolean counts() {
        return true;
    }
}
