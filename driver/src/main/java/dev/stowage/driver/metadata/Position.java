package dev.stowage.driver.metadata;

import dev.stowage.core.error.StowageException;

/** Where a listing of blocks starts and how many entries a message may have; zero leaves that to the driver. */
record Position(long from, int maxResults) {

    Position {
        if (from < 0) {
            throw StowageException.outOfRange("starting_offset %d must not be negative", from);
        }
        if (maxResults < 0) {
            throw StowageException.invalid("max_results %d must not be negative", maxResults);
        }
    }
}
