package dev.stowage.cli.bench;

/** One caller's own part of a workload. No two lanes share a volume, so that they never have to wait for each other. */
interface Lane {

    /** What has to be there before each measured run. */
    default void before() throws Exception {}

    /** What is measured. */
    void run() throws Exception;

    /** Takes away what {@link #before} and {@link #run} left. */
    default void after() throws Exception {}

    /** Makes the lane usable again after a failure. */
    default void recover() throws Exception {}

    /** Takes away everything. */
    default void close() throws Exception {}
}
