package dev.stowage.array;

import dev.stowage.array.iscsi.LioTarget;
import dev.stowage.array.iscsi.Target;
import dev.stowage.array.iscsi.TgtTarget;
import dev.stowage.array.journal.Journal;
import dev.stowage.array.misbehave.Misbehaviour;
import dev.stowage.array.nfs.GaneshaShares;
import dev.stowage.array.nfs.Shares;
import dev.stowage.array.record.ArrayRecord;
import dev.stowage.array.service.Attachments;
import dev.stowage.array.service.Keys;
import dev.stowage.array.service.Parts;
import dev.stowage.array.service.PoolSpace;
import dev.stowage.array.service.Randomness;
import dev.stowage.array.service.Recovery;
import dev.stowage.array.service.Servers;
import dev.stowage.array.service.Snapshots;
import dev.stowage.array.service.Volumes;
import dev.stowage.array.store.DirectoryStore;
import dev.stowage.array.store.Store;
import dev.stowage.array.store.ZfsStore;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.lane.Lanes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An array that serves: what it keeps, what it offers, and its operations. */
public final class StorageArray implements AutoCloseable {

    private static final Duration LANE_PATIENCE = Duration.ofSeconds(60);
    private static final Logger log = LoggerFactory.getLogger(StorageArray.class);
    private static final Duration BETWEEN_HOUSEKEEPINGS = Duration.ofMinutes(1);

    private final ArraySettings settings;
    private final Parts parts;
    private final Volumes volumes;
    private final Servers servers;
    private final Attachments attachments;
    private final Snapshots snapshots;
    private final PoolSpace space;
    private final Keys keys;
    private volatile boolean ended;

    private StorageArray(ArraySettings settings, Parts parts) {
        this.settings = settings;
        this.parts = parts;
        this.attachments = new Attachments(parts);
        this.servers = new Servers(parts, attachments);
        this.space = new PoolSpace(
                parts,
                settings.capacity(),
                () -> settings.misbehaviour().map(Misbehaviour::full).orElse(false));
        this.keys = new Keys(parts, settings.token());
        this.volumes = new Volumes(parts, attachments, space, settings.recycles());
        this.snapshots = new Snapshots(parts, volumes, space);
    }

    /** Starts it, or goes on where the last one that used the directory ended, however it ended. */
    public static StorageArray open(ArraySettings settings) {
        return open(settings, InstantSource.system());
    }

    public static StorageArray open(ArraySettings settings, InstantSource clock) {
        var directories = prepare(settings.data());
        var journal = Journal.open(settings.data().resolve("journal"));
        try {
            var store = store(settings, journal, directories);
            try {
                var target = target(settings, journal.array().orElseThrow().getSerial());
                var shares = GaneshaShares.open(settings.data(), settings.files());
                return open(
                        settings,
                        new Parts(journal, store, target, shares, new Lanes(LANE_PATIENCE), clock, settings.name()));
            } catch (RuntimeException failure) {
                store.close();
                throw failure;
            }
        } catch (RuntimeException failure) {
            journal.close();
            throw failure;
        }
    }

    /** Its volumes are where they were when it was first started. */
    private static Store store(ArraySettings settings, Journal journal, Path directory) {
        String wanted = settings.backing().dataset().orElse("");
        if (journal.array().isEmpty()) {
            journal.put(born().toBuilder().setDataset(wanted).build());
        }
        String kept = journal.array().orElseThrow().getDataset();
        if (!kept.equals(wanted)) {
            throw StowageException.notPossible(
                    "data directory %s: the volumes of this array are in %s, not in %s; start it as before",
                    settings.data(), place(kept), place(wanted));
        }
        return settings.backing().dataset().<Store>map(ZfsStore::open).orElseGet(() -> DirectoryStore.open(directory));
    }

    private static Target target(ArraySettings settings, String serial) {
        boolean kernel = switch (settings.backing().target()) {
            case tgt -> false;
            case lio -> true;
            // What an earlier start left running goes on.
            case auto -> !TgtTarget.runs(settings.data(), settings.portals()) && LioTarget.present();
        };
        return kernel
                ? LioTarget.start(Parts.targetsOf(settings.name()) + ":", serial, settings.portals())
                : TgtTarget.start(settings.data(), settings.portals());
    }

    private static String place(String dataset) {
        return dataset.isEmpty() ? "files of that directory" : "the ZFS dataset " + dataset;
    }

    private static StorageArray open(ArraySettings settings, Parts parts) {
        var array = new StorageArray(settings, parts);
        try {
            new Recovery(parts, array.attachments, array.servers, array.volumes, array.snapshots).run();
            Thread.ofPlatform().daemon().name("housekeeping").start(array::keepHouseAlways);
            return array;
        } catch (RuntimeException failure) {
            parts.target().abandon();
            parts.shares().abandon();
            throw failure;
        }
    }

    private static Path prepare(Path data) {
        try {
            return Files.createDirectories(data.resolve("volumes"));
        } catch (IOException failure) {
            throw StowageException.notPossible(
                    "data directory %s: cannot be made: %s; choose another", data, failure.getMessage());
        }
    }

    private static ArrayRecord born() {
        return ArrayRecord.newBuilder()
                .setSerial(Randomness.hex(4))
                .setChapUser("stowage-" + Randomness.hex(4))
                .setChapSecret(Randomness.hex(8))
                .build();
    }

    /** What is to be done now and then: the recycle bin loses what is old in it, and the pool remembers how full it was. */
    public void keepHouse() {
        volumes.purgeExpired();
        space.sample();
    }

    private void keepHouseAlways() {
        while (!ended) {
            try {
                keepHouse();
            } catch (RuntimeException failure) {
                log.error("housekeeping failed, and is tried again: {}", failure.getMessage());
            }
            try {
                Thread.sleep(BETWEEN_HOUSEKEEPINGS);
            } catch (InterruptedException interrupted) {
                return;
            }
        }
    }

    public ArraySettings settings() {
        return settings;
    }

    public Parts parts() {
        return parts;
    }

    public Volumes volumes() {
        return volumes;
    }

    public Servers servers() {
        return servers;
    }

    public Attachments attachments() {
        return attachments;
    }

    public Snapshots snapshots() {
        return snapshots;
    }

    public PoolSpace space() {
        return space;
    }

    public Keys keys() {
        return keys;
    }

    /** How it is to go wrong; empty for an array that is to be relied on. */
    public Optional<Misbehaviour> misbehaviour() {
        return settings.misbehaviour();
    }

    /** Lets go of everything without putting anything in order, as a crash would; the target goes on serving. */
    public void abandon() {
        ended = true;
        parts.target().abandon();
        parts.shares().abandon();
        parts.store().close();
        parts.journal().close();
    }

    /** Stops serving, also to initiators: what is attached stays on record and is served again at the next start. */
    @Override
    public void close() {
        ended = true;
        try (Shares shares = parts.shares()) {
            parts.target().close();
        } finally {
            parts.store().close();
            parts.journal().close();
        }
    }
}
