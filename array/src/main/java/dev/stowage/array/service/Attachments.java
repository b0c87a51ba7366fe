package dev.stowage.array.service;

import dev.stowage.array.iscsi.Export;
import dev.stowage.array.iscsi.Unit;
import dev.stowage.array.record.AttachmentRecord;
import dev.stowage.array.record.LifeState;
import dev.stowage.array.record.ServerRecord;
import dev.stowage.array.record.VolumeRecord;
import dev.stowage.core.lane.Lanes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which server may use which volume. On record before the target knows, and until it has forgotten. */
public final class Attachments {

    private static final int LARGEST_LUN = 255;

    private final Parts parts;
    private final Sharing sharing;

    public Attachments(Parts parts) {
        this.parts = parts;
        this.sharing = new Sharing(parts);
    }

    Sharing sharing() {
        return sharing;
    }

    /** Attaches each volume to each server. What is attached already stays as it is. */
    public void attach(List<String> servers, List<String> volumes, boolean readOnly) {
        try (var _ = enter("attaching " + String.join(",", volumes), servers, volumes)) {
            servers.forEach(parts::server);
            for (String volume : volumes) {
                boolean shared = parts.volume(volume).getShared();
                servers.forEach(server -> Sharing.requireReachable(parts.server(server), shared));
            }
            for (String volume : volumes) {
                for (String server : servers) {
                    attach(volume, parts.server(server), readOnly);
                }
            }
        }
    }

    private void attach(String id, ServerRecord server, boolean readOnly) {
        var volume = parts.volume(id);
        var there = attachment(volume, server.getId());
        if (there.isPresent() && there.get().getState() == LifeState.READY) {
            if (there.get().getReadOnly() != readOnly) {
                throw Refusal.of(
                        Status.NOT_POSSIBLE,
                        "volume %s is attached to server %s already, %s; change its permission instead",
                        id,
                        server.getId(),
                        readOnly ? "for writing" : "for reading only");
            }
            return;
        }
        var wanted = AttachmentRecord.newBuilder()
                .setServer(server.getId())
                .setLun(
                        volume.getShared()
                                ? 0
                                : there.map(AttachmentRecord::getLun).orElseGet(() -> freeLun(server)))
                .setReadOnly(readOnly)
                .setState(LifeState.CREATING)
                .build();
        if (volume.getShared()) {
            volume = put(sharing.numbered(volume), wanted);
            sharing.serve(volume, false);
        } else {
            volume = put(volume, wanted);
            parts.target().add(parts.exported(server), parts.exported(volume, wanted));
        }
        put(volume, wanted.toBuilder().setState(LifeState.READY).build());
    }

    /**
     * Detaches the volume from the servers. When this returns, nothing that a server sent is in flight and nothing that it will send
     * reaches the volume.
     */
    public void detach(String id, List<String> servers, boolean force) {
        try (var _ = enter("detaching " + id, servers, List.of(id))) {
            parts.volume(id);
            servers.forEach(parts::server);
            for (String server : servers) {
                var volume = parts.volume(id);
                var there = attachment(volume, server);
                if (there.isPresent()) {
                    detach(volume, there.get(), force);
                }
            }
        }
    }

    private VolumeRecord detach(VolumeRecord volume, AttachmentRecord attachment, boolean force) {
        var leaving =
                put(volume, attachment.toBuilder().setState(LifeState.DELETING).build());
        if (volume.getShared()) {
            sharing.serve(leaving, force);
            return drop(leaving, attachment.getServer());
        }
        var server = parts.journal().servers().get(attachment.getServer());
        if (server != null
                && !parts.target().remove(parts.exported(server), parts.exported(volume, attachment), force)) {
            put(leaving, attachment);
            throw Refusal.of(
                    Status.IN_USE,
                    "volume %s is being used by server %s; stop using it there, or detach it with force=YES",
                    volume.getId(),
                    attachment.getServer());
        }
        return drop(leaving, attachment.getServer());
    }

    /** Detaches the volume from everybody, whether they use it or not. The caller holds the lanes. */
    VolumeRecord fence(VolumeRecord volume) {
        var left = volume;
        for (AttachmentRecord attachment : volume.getAttachmentsList()) {
            left = detach(left, attachment, true);
        }
        return left;
    }

    /** Changes the right to write. Open connections are interrupted for a moment. */
    public void permit(String id, String server, boolean readOnly) {
        try (var _ = enter("changing the permission of " + id, List.of(server), List.of(id))) {
            var volume = parts.volume(id);
            var record = parts.server(server);
            var attachment = attachment(volume, server)
                    .orElseThrow(() -> Refusal.of(
                            Status.NOT_POSSIBLE,
                            "volume %s is not attached to server %s; attach it first",
                            id,
                            server));
            if (attachment.getReadOnly() != readOnly) {
                var changed = attachment.toBuilder().setReadOnly(readOnly).build();
                var permitted = put(volume, changed);
                if (volume.getShared()) {
                    sharing.serve(permitted, readOnly);
                    return;
                }
                parts.target().renew(parts.exported(record), parts.exported(permitted, changed));
            }
        }
    }

    /** Shows the servers a volume's new size. The caller holds the lanes. */
    void renew(VolumeRecord volume) {
        if (volume.getShared()) {
            parts.shares().grow(volume.getId());
            return;
        }
        for (AttachmentRecord attachment : volume.getAttachmentsList()) {
            var server = parts.journal().servers().get(attachment.getServer());
            if (server != null && attachment.getState() == LifeState.READY) {
                parts.target().renew(parts.exported(server), parts.exported(volume, attachment));
            }
        }
    }

    /** What is attached to a server. */
    public List<VolumeRecord> of(String server) {
        return parts.journal().volumes().values().stream()
                .filter(volume -> attachment(volume, server).isPresent())
                .toList();
    }

    /** Forgets the attachments that a crash interrupted. The target serves none of them. */
    void dropInterrupted(VolumeRecord volume) {
        var ready = ready(volume);
        if (ready.size() < volume.getAttachmentsCount()) {
            parts.journal()
                    .put(volume.toBuilder()
                            .clearAttachments()
                            .addAllAttachments(ready)
                            .build());
        }
    }

    static List<AttachmentRecord> ready(VolumeRecord volume) {
        return volume.getAttachmentsList().stream()
                .filter(attachment -> attachment.getState() == LifeState.READY)
                .toList();
    }

    /** Everything that the target is to serve, according to the records. */
    List<Export> exports() {
        Map<String, List<Unit>> units = new TreeMap<>();
        for (VolumeRecord volume : parts.journal().volumes().values()) {
            for (AttachmentRecord attachment : volume.getShared() ? List.<AttachmentRecord>of() : ready(volume)) {
                units.computeIfAbsent(attachment.getServer(), server -> new ArrayList<>())
                        .add(parts.exported(volume, attachment));
            }
        }
        return parts.journal().servers().values().stream()
                .filter(server -> server.getState() == LifeState.READY && units.containsKey(server.getId()))
                .map(server -> new Export(parts.exported(server), units.getOrDefault(server.getId(), List.of())))
                .toList();
    }

    /** The lanes of a volume and of all servers it is attached to, which are only certain once they are held. */
    Lanes.Held enterWithServers(String operation, String id) {
        while (true) {
            var servers = serversOf(id);
            var held = enter(operation, servers, List.of(id));
            if (serversOf(id).equals(servers)) {
                return held;
            }
            held.close();
        }
    }

    private List<String> serversOf(String id) {
        var volume = parts.journal().volumes().get(id);
        return volume == null
                ? List.of()
                : volume.getAttachmentsList().stream()
                        .map(AttachmentRecord::getServer)
                        .toList();
    }

    private Lanes.Held enter(String operation, List<String> servers, List<String> volumes) {
        var wishes = new ArrayList<Lanes.Wish>();
        servers.forEach(server -> wishes.add(Parts.lane(server)));
        volumes.forEach(volume -> wishes.add(Parts.lane(volume)));
        return parts.lanes().enter(operation, wishes);
    }

    static Optional<AttachmentRecord> attachment(VolumeRecord volume, String server) {
        return volume.getAttachmentsList().stream()
                .filter(attachment -> attachment.getServer().equals(server))
                .findFirst();
    }

    private VolumeRecord put(VolumeRecord volume, AttachmentRecord attachment) {
        var others = volume.getAttachmentsList().stream()
                .filter(other -> !other.getServer().equals(attachment.getServer()))
                .toList();
        var changed = volume.toBuilder()
                .clearAttachments()
                .addAllAttachments(others)
                .addAttachments(attachment)
                .build();
        parts.journal().put(changed);
        return changed;
    }

    VolumeRecord drop(VolumeRecord volume, String server) {
        var others = volume.getAttachmentsList().stream()
                .filter(other -> !other.getServer().equals(server))
                .toList();
        var changed =
                volume.toBuilder().clearAttachments().addAllAttachments(others).build();
        parts.journal().put(changed);
        return changed;
    }

    /** A number that the server has not had for long: what an initiator sends late must not meet another volume. */
    private int freeLun(ServerRecord server) {
        var taken = new HashSet<Integer>();
        of(server.getId())
                .forEach(volume -> attachment(volume, server.getId()).ifPresent(found -> taken.add(found.getLun())));
        int first = Math.max(1, server.getNextLun());
        for (int i = 0; i < LARGEST_LUN; i++) {
            int lun = (first - 1 + i) % LARGEST_LUN + 1;
            if (!taken.contains(lun)) {
                parts.journal()
                        .put(parts.server(server.getId()).toBuilder()
                                .setNextLun(lun % LARGEST_LUN + 1)
                                .build());
                return lun;
            }
        }
        throw Refusal.of(
                Status.NOT_POSSIBLE,
                "server %s has %d volumes attached, more are not possible; detach some",
                server.getId(),
                LARGEST_LUN);
    }
}
