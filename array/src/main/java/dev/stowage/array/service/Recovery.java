package dev.stowage.array.service;

import dev.stowage.array.record.LifeState;
import dev.stowage.array.record.ServerRecord;
import dev.stowage.array.record.SnapshotRecord;
import dev.stowage.array.record.VolumeRecord;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what a crash interrupted: what was being made is undone, what was being deleted, detached or grown is finished. Afterwards the
 * array is in a state that its API could have shown. A crash in here is no different.
 */
public final class Recovery {

    private static final Logger log = LoggerFactory.getLogger(Recovery.class);

    private final Parts parts;
    private final Attachments attachments;
    private final Servers servers;
    private final Volumes volumes;
    private final Snapshots snapshots;

    public Recovery(Parts parts, Attachments attachments, Servers servers, Volumes volumes, Snapshots snapshots) {
        this.parts = parts;
        this.attachments = attachments;
        this.servers = servers;
        this.volumes = volumes;
        this.snapshots = snapshots;
    }

    public void run() {
        // What is about to be removed may still be mounted.
        parts.shares().restore(attachments.sharing().all());
        for (SnapshotRecord snapshot : List.copyOf(parts.journal().snapshots().values())) {
            if (snapshot.getState() != LifeState.READY) {
                log.info("snapshot {} was interrupted while {}, and is removed", snapshot.getId(), snapshot.getState());
                snapshots.discard(snapshot);
            }
        }
        for (VolumeRecord volume : everyVolume()) {
            if (volume.getState() != LifeState.READY) {
                log.info("volume {} was interrupted while {}, and is removed", volume.getId(), volume.getState());
                volumes.discard(volume);
            }
        }
        parts.target().restore(attachments.exports());
        everyVolume().forEach(attachments::dropInterrupted);
        for (ServerRecord server : List.copyOf(parts.journal().servers().values())) {
            if (server.getState() != LifeState.READY) {
                servers.finishDeletion(server);
            }
        }
        for (VolumeRecord volume : everyVolume()) {
            if (volume.getGrowingToBytes() > 0) {
                volumes.finishGrowth(volume);
            }
        }
    }

    private List<VolumeRecord> everyVolume() {
        return List.copyOf(parts.journal().volumes().values());
    }
}
