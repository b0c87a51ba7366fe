package dev.stowage.array.service;

import dev.stowage.array.nfs.Share;
import dev.stowage.array.record.AttachmentRecord;
import dev.stowage.array.record.LifeState;
import dev.stowage.array.record.ServerRecord;
import dev.stowage.array.record.VolumeRecord;
import java.util.List;
import java.util.stream.Collectors;

/** Volumes with a filesystem of their own, as those see them who they are attached to. */
final class Sharing {

    private static final int LARGEST_SHARE = 65_535;

    private final Parts parts;

    Sharing(Parts parts) {
        this.parts = parts;
    }

    /**
     * Lets those use a shared volume that it is attached to.
     *
     * @param certain whether nothing may be in flight any more of those that it is not attached to
     */
    void serve(VolumeRecord volume, boolean certain) {
        var share = parts.shared(volume, staying(volume));
        if (share.clients().isEmpty()) {
            parts.shares().withdraw(volume.getId());
        } else {
            parts.shares().serve(share, certain);
        }
    }

    private static List<AttachmentRecord> staying(VolumeRecord volume) {
        return volume.getAttachmentsList().stream()
                .filter(attachment -> attachment.getState() != LifeState.DELETING)
                .toList();
    }

    /** The volume with a number that no other share has, and that it keeps. */
    synchronized VolumeRecord numbered(VolumeRecord volume) {
        if (volume.getShareNumber() > 0) {
            return volume;
        }
        var taken = parts.journal().volumes().values().stream()
                .map(VolumeRecord::getShareNumber)
                .collect(Collectors.toSet());
        for (int number = 1; number <= LARGEST_SHARE; number++) {
            if (!taken.contains(number)) {
                var numbered = volume.toBuilder().setShareNumber(number).build();
                parts.journal().put(numbered);
                return numbered;
            }
        }
        throw Refusal.of(
                Status.NOT_POSSIBLE,
                "%d volumes were shared already, more are not possible; delete some",
                LARGEST_SHARE);
    }

    /** All that is to be shared, according to the records. */
    List<Share> all() {
        return parts.journal().volumes().values().stream()
                .filter(VolumeRecord::getShared)
                .map(volume -> parts.shared(volume, Attachments.ready(volume)))
                .filter(share -> !share.clients().isEmpty())
                .toList();
    }

    /** Refuses a server that nobody could be let in for. */
    static void requireReachable(ServerRecord server, boolean shared) {
        if (shared) {
            if (server.getAddress().isEmpty()) {
                throw Refusal.of(
                        Status.NOT_POSSIBLE,
                        "server %s has no address, so that no NFS client could be let in; set its field iscsi first",
                        server.getId());
            }
            return;
        }
        if (server.getIqn().isEmpty()) {
            throw Refusal.of(
                    Status.NOT_POSSIBLE,
                    "server %s has no iqn, so that no initiator could be let in; set it first",
                    server.getId());
        }
    }
}
