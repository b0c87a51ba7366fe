package dev.stowage.backend.local;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.backend.local.record.LifeState;
import dev.stowage.backend.local.record.VolumeRecord;
import dev.stowage.backend.local.snapshot.LocalGroupSnapshots;
import dev.stowage.backend.local.snapshot.LocalSnapshots;
import dev.stowage.backend.local.volume.LocalExpansion;
import dev.stowage.backend.local.volume.LocalModification;
import dev.stowage.backend.local.volume.LocalVolumes;
import dev.stowage.linux.file.Directory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a starting driver does before it serves: compares record and pool, and finishes or undoes what a crash interrupted.
 *
 * <p>A thing that cannot be settled now is told and left on record; the others must not wait for it.
 */
record Sweep(
        Pool pool,
        PoolRecords records,
        PoolSpace space,
        LocalVolumes volumes,
        LocalExpansion expansion,
        LocalModification modification,
        LocalSnapshots snapshots,
        LocalGroupSnapshots groups) {

    private static final Logger log = LoggerFactory.getLogger(Sweep.class);

    void run() {
        List.copyOf(records.groups().values())
                .forEach(group -> attempt("group snapshot " + group.getId(), () -> groups.settle(group)));
        List.copyOf(records.snapshots().values()).stream()
                .filter(snapshot -> snapshot.getGroup().isEmpty())
                .forEach(snapshot -> attempt("snapshot " + snapshot.getId(), () -> snapshots.settle(snapshot)));
        List.copyOf(records.volumes().values())
                .forEach(volume -> attempt("volume " + volume.getId(), () -> volumes.settle(volume)));
        count();
        List.copyOf(records.volumes().values())
                .forEach(volume -> attempt("volume " + volume.getId(), () -> finishChanges(volume)));
        tellStrangers(pool.volumes(), records.volumes().keySet());
        tellStrangers(pool.snapshots(), records.snapshots().keySet());
    }

    private void finishChanges(VolumeRecord volume) {
        modification.finish(expansion.finish(volume));
    }

    /** What remains takes room, or was promised it. */
    private void count() {
        records.volumes().values().stream()
                .filter(volume -> volume.getState() != LifeState.CREATING)
                .forEach(volume -> space.count(volume.getSizeBytes(), 0));
        records.snapshots().values().stream()
                .filter(snapshot -> snapshot.getState() != LifeState.CREATING)
                .forEach(snapshot -> space.count(snapshot.getSizeBytes(), LocalSnapshots.owed(pool, snapshot)));
    }

    /** Data that no record knows is never deleted here; a person decides. */
    private static void tellStrangers(Directory directory, Set<?> known) {
        var names = new HashSet<String>();
        known.forEach(id -> names.add(id.toString()));
        directory.names().stream()
                .filter(name -> !names.contains(name))
                .forEach(name -> log.warn("{} is not on record; it is left alone", directory.path(name)));
    }

    private static void attempt(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            log.error("{}: what a crash left unfinished could not be settled: {}", what, failure.getMessage());
        }
    }
}
