package dev.stowage.array.service;

import dev.stowage.array.iscsi.Server;
import dev.stowage.array.iscsi.Target;
import dev.stowage.array.iscsi.Unit;
import dev.stowage.array.journal.Ids;
import dev.stowage.array.journal.Journal;
import dev.stowage.array.nfs.Share;
import dev.stowage.array.nfs.Shares;
import dev.stowage.array.record.ArrayRecord;
import dev.stowage.array.record.AttachmentRecord;
import dev.stowage.array.record.LifeState;
import dev.stowage.array.record.ServerRecord;
import dev.stowage.array.record.SnapshotRecord;
import dev.stowage.array.record.VolumeRecord;
import dev.stowage.array.store.Store;
import dev.stowage.core.lane.Lanes;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What every operation works with, and how the parts name one and the same thing. */
public record Parts(
        Journal journal, Store store, Target target, Shares shares, Lanes lanes, InstantSource clock, String name) {

    /** The lane of a volume, a server or a snapshot. */
    static Lanes.Wish lane(String id) {
        return Lanes.Wish.exclusive("object", id);
    }

    /** The lane of a name that something is to have. */
    static Lanes.Wish nameLane(String kind, String name) {
        return Lanes.Wish.exclusive(kind + " name", name);
    }

    public ArrayRecord own() {
        return journal.array().orElseThrow();
    }

    /** Changes what is on record about the array itself. */
    synchronized void change(UnaryOperator<ArrayRecord.Builder> change) {
        journal.put(change.apply(own().toBuilder()).build());
    }

    /** The name that all the array's targets begin with. */
    public String targetName() {
        return targetsOf(name);
    }

    /** The name that all targets of an array of this name begin with. */
    public static String targetsOf(String array) {
        return "iqn.2026-01.dev.stowage:" + array;
    }

    public String targetName(String server) {
        return targetName() + ":" + server;
    }

    /** A volume that callers may see. */
    public VolumeRecord volume(String id) {
        return Optional.ofNullable(journal.volumes().get(id))
                .filter(volume -> volume.getState() == LifeState.READY && volume.getRecycledAtMillis() == 0)
                .orElseThrow(() -> Refusal.of(Status.VOLUME_NOT_FOUND, "volume %s was not found", id));
    }

    public ServerRecord server(String id) {
        return Optional.ofNullable(journal.servers().get(id))
                .filter(server -> server.getState() == LifeState.READY)
                .orElseThrow(() -> Refusal.of(Status.SERVER_NOT_FOUND, "server %s was not found", id));
    }

    public SnapshotRecord snapshot(String id) {
        return Optional.ofNullable(journal.snapshots().get(id))
                .filter(snapshot -> snapshot.getState() == LifeState.READY)
                .orElseThrow(() -> Refusal.of(Status.SNAPSHOT_NOT_FOUND, "snapshot %s was not found", id));
    }

    /** The only volume of a consistency group. */
    public VolumeRecord member(String group) {
        return journal.volumes().values().stream()
                .filter(volume -> volume.getGroup().equals(group))
                .filter(volume -> volume.getState() == LifeState.READY && volume.getRecycledAtMillis() == 0)
                .findFirst()
                .orElseThrow(() -> Refusal.of(Status.GROUP_NOT_FOUND, "consistency group %s was not found", group));
    }

    Server exported(ServerRecord server) {
        var own = own();
        return new Server(
                Ids.SERVER.number(server.getId()),
                targetName(server.getId()),
                server.getIqn(),
                new Server.Account(own.getChapUser(), own.getChapSecret()),
                server.getHostChapUser().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Server.Account(server.getHostChapUser(), server.getHostChapSecret())));
    }

    /** A shared volume as it is with these attachments. */
    Share shared(VolumeRecord volume, List<AttachmentRecord> attachments) {
        var options = volume.getOptionsMap();
        return new Share(
                volume.getShareNumber(),
                volume.getId(),
                volume.getExportName(),
                store.path(volume.getId()),
                attachments.stream().flatMap(this::client).distinct().toList(),
                "YES".equalsIgnoreCase(options.get("nfsrootsquash")),
                number(options.get("nfsanonuid")),
                number(options.get("nfsanongid")));
    }

    private Stream<Share.Client> client(AttachmentRecord attachment) {
        return Optional.ofNullable(journal.servers().get(attachment.getServer()))
                .filter(server -> server.getState() == LifeState.READY
                        && !server.getAddress().isEmpty())
                .map(server -> new Share.Client(server.getAddress(), attachment.getReadOnly()))
                .stream();
    }

    private static OptionalLong number(@Nullable String text) {
        return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
    }

    Unit exported(VolumeRecord volume, AttachmentRecord attachment) {
        return new Unit(attachment.getLun(), store.path(volume.getId()), serial(volume), attachment.getReadOnly());
    }

    /** The serial number of the volume's units, whoever they are offered to. */
    public String serial(VolumeRecord volume) {
        return own().getSerial() + volume.getId().substring("volume-".length());
    }
}
