package dev.stowage.array.service;

import dev.stowage.array.journal.Ids;
import dev.stowage.array.record.AttachmentRecord;
import dev.stowage.array.record.LifeState;
import dev.stowage.array.record.ServerRecord;
import dev.stowage.array.record.VolumeRecord;
import dev.stowage.core.lane.Lanes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Server records: who may have volumes attached. */
public final class Servers {

    private final Parts parts;
    private final Attachments attachments;

    public Servers(Parts parts, Attachments attachments) {
        this.parts = parts;
        this.attachments = attachments;
    }

    /** What is asked of a server record; what is absent stays as it is. */
    public record Wish(
            Optional<String> name,
            Optional<String> iqn,
            Optional<String> address,
            Optional<String> system,
            Optional<String> hostUser,
            Optional<String> hostSecret,
            boolean force) {}

    public ServerRecord create(Wish wish) {
        var name = wish.name().orElseThrow(() -> Refusal.invalid("display_name is missing"));
        try (var _ = parts.lanes().enter("creating server " + name, List.of(Parts.nameLane("server", "any")))) {
            var record = ServerRecord.newBuilder()
                    .setState(LifeState.READY)
                    .setCreatedAtMillis(parts.clock().millis());
            apply(wish, record);
            record.setId(parts.journal().nextId(Ids.SERVER));
            if (record.getHostChapUser().isEmpty()) {
                // An initiator that does not ask who it talks to has no use for them, and is not bothered.
                record.setHostChapUser(record.getId() + "-" + Randomness.hex(4)).setHostChapSecret(Randomness.hex(8));
            }
            var made = record.build();
            parts.journal().put(made);
            return made;
        }
    }

    public void rename(String id, String name) {
        var none = Optional.<String>empty();
        change(id, new Wish(Optional.of(name), none, none, none, none, none, true));
    }

    public Stream<ServerRecord> all() {
        return parts.journal().servers().values().stream().filter(server -> server.getState() == LifeState.READY);
    }

    public ServerRecord find(String id) {
        return parts.server(id);
    }

    /** Changes a record. Whoever was let in under another initiator's name is shut out before this returns. */
    public ServerRecord change(String id, Wish wish) {
        try (var _ = enterWithVolumes("changing server " + id, id, Parts.nameLane("server", "any"))) {
            var before = parts.server(id);
            var record = before.toBuilder();
            apply(wish, record);
            var changed = record.build();
            var attached = attachments.of(id);
            boolean hasBlocks = attached.stream().anyMatch(volume -> !volume.getShared());
            if (changed.getIqn().isEmpty() && hasBlocks) {
                throw Refusal.of(Status.IN_USE, "server %s has volumes attached, it needs its iqn", id);
            }
            parts.journal().put(changed);
            if (hasBlocks && !parts.exported(before).equals(parts.exported(changed))) {
                parts.target().admit(parts.exported(changed));
            }
            if (!before.getAddress().equals(changed.getAddress())) {
                attached.stream()
                        .filter(VolumeRecord::getShared)
                        .forEach(volume -> attachments.sharing().serve(volume, true));
            }
            return changed;
        }
    }

    /** The target knows each user only once, with one secret. */
    private void requireOwnUser(ServerRecord.Builder record) {
        var user = record.getHostChapUser();
        boolean taken = user.equals(parts.own().getChapUser())
                || all().anyMatch(other ->
                        other.getHostChapUser().equals(user) && !other.getId().equals(record.getId()));
        if (taken) {
            throw Refusal.of(Status.NAME_TAKEN, "hostchapuser %s is taken; every server needs one of its own", user);
        }
    }

    private String free(String id, String name) {
        all().filter(other ->
                        other.getDisplayName().equals(name) && !other.getId().equals(id))
                .findFirst()
                .ifPresent(other -> {
                    throw Refusal.of(Status.NAME_TAKEN, "the name %s is taken by server %s", name, other.getId());
                });
        return name;
    }

    private void apply(Wish wish, ServerRecord.Builder record) {
        wish.name().ifPresent(name -> record.setDisplayName(free(record.getId(), Checks.name("display_name", name))));
        wish.iqn().ifPresent(iqn -> record.setIqn(Checks.initiator(iqn)));
        wish.address().ifPresent(address -> record.setAddress(Checks.address(address)));
        wish.system().ifPresent(system -> record.setSystem(Checks.name("os", system)));
        wish.hostUser().ifPresent(user -> record.setHostChapUser(Checks.user(user)));
        wish.hostSecret().ifPresent(secret -> record.setHostChapSecret(Checks.secret(secret)));
        if (record.getHostChapUser().isEmpty() != record.getHostChapSecret().isEmpty()) {
            throw Refusal.invalid("hostchapuser and hostchapsecret are only of use together");
        }
        if (!record.getHostChapUser().isEmpty()) {
            requireOwnUser(record);
        }
        if (record.getIqn().isEmpty() && record.getAddress().isEmpty()) {
            throw Refusal.invalid("iqn is missing, and so is iscsi; a server needs one of them");
        }
        if (!wish.force()) {
            all().filter(other -> !other.getId().equals(record.getId()))
                    .filter(other -> !other.getIqn().isEmpty() && other.getIqn().equals(record.getIqn()))
                    .findFirst()
                    .ifPresent(other -> {
                        throw Refusal.of(
                                Status.NAME_TAKEN,
                                "iqn %s belongs to server %s; two machines must not share it, but force=YES allows it",
                                other.getIqn(),
                                other.getId());
                    });
        }
    }

    /**
     * Deletes a record.
     *
     * @param force detaches its volumes first, whether it uses them or not
     */
    public void delete(String id, boolean force) {
        try (var _ = enterWithVolumes("deleting server " + id, id)) {
            var server = parts.server(id);
            var used = attachments.of(id);
            if (!used.isEmpty() && !force) {
                throw Refusal.of(
                        Status.IN_USE,
                        "server %s has volumes attached, %s among them; detach them first",
                        id,
                        used.getFirst().getId());
            }
            parts.journal().put(server.toBuilder().setState(LifeState.DELETING).build());
            finishDeletion(server);
        }
    }

    /** The server is fenced as a whole; then its attachments are forgotten, and then the server. */
    void finishDeletion(ServerRecord server) {
        if (!server.getIqn().isEmpty()) {
            parts.target().expel(parts.exported(server));
        }
        for (VolumeRecord volume : attachments.of(server.getId())) {
            if (volume.getShared()) {
                attachments.sharing().serve(volume, true);
            }
            attachments.drop(volume, server.getId());
        }
        parts.journal().remove(server);
    }

    private Lanes.Held enterWithVolumes(String operation, String id, Lanes.Wish... others) {
        while (true) {
            var volumes = volumesOf(id);
            var wishes = new ArrayList<>(List.of(others));
            wishes.add(Parts.lane(id));
            volumes.forEach(volume -> wishes.add(Parts.lane(volume)));
            var held = parts.lanes().enter(operation, wishes);
            if (volumesOf(id).equals(volumes)) {
                return held;
            }
            held.close();
        }
    }

    private List<String> volumesOf(String id) {
        return attachments.of(id).stream().map(volume -> volume.getId()).toList();
    }

    /** Whether its initiator has a session, as far as the target can be asked. */
    public boolean connected(ServerRecord server) {
        return !server.getIqn().isEmpty() && parts.target().connected(parts.exported(server));
    }

    /** The servers that a volume is attached to, with the attachment of each. */
    public Stream<Attached> of(String id) {
        var volume = parts.volume(id);
        return volume.getAttachmentsList().stream()
                .flatMap(attachment ->
                        Optional.ofNullable(parts.journal().servers().get(attachment.getServer())).stream()
                                .map(server -> new Attached(volume, server, attachment)));
    }

    /** A server and how a volume is attached to it. */
    public record Attached(VolumeRecord volume, ServerRecord server, AttachmentRecord attachment) {}
}
