package dev.stowage.array.store;

import java.nio.file.Path;

/**
 * The bytes behind volumes and snapshots, by id. What a method did is durable when it returns.
 *
 * <p>Every method may come again after a crash: what is there already, in whatever state, is taken as an unfinished attempt.
 */
public interface Store extends AutoCloseable {

    /** Zeros of this size, which take no room until they are written over. */
    void create(String id, long bytes);

    /** What the source holds at one instant, under another id. */
    void copy(String source, String id);

    /** Whether a copy is made at one instant, whatever is written meanwhile. */
    boolean copiesInstantly();

    void grow(String id, long bytes);

    void remove(String id);

    /** What an iSCSI target can open. */
    Path path(String id);

    /** The room that it takes; zero when it is not there. */
    long allocatedBytes(String id);

    Room room();

    /** The room there is, of which some may be taken by others. */
    record Room(long totalBytes, long freeBytes) {}

    @Override
    void close();
}
