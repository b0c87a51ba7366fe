package dev.stowage.arrayapi;

import dev.stowage.arrayapi.ArrayException.Refused;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One array, by the calls of its API. Every call may fail with an {@link ArrayException}.
 *
 * <p>What was asked for may still be under way when a call returns; the object's status tells.
 */
public final class ArrayClient {

    private static final int MOST_AT_ONCE = 8;
    private static final int PAGE = 500;

    private final Wire wire;
    private final Gate gate;

    private ArrayClient(Wire wire, Gate gate) {
        this.wire = wire;
        this.gate = gate;
    }

    /**
     * A client of an array. It keeps nothing open by itself.
     *
     * @param http shared by all arrays that are trusted in the same way
     * @param token asked for at every call
     * @param timeout how long a call may take, and how long it may wait for its turn
     */
    public static ArrayClient of(HttpClient http, ArrayAddress address, Supplier<String> token, Duration timeout) {
        var gate = new Gate(address.toString(), MOST_AT_ONCE, timeout, System::nanoTime);
        return new ArrayClient(new Wire(http, address, token, timeout, gate), gate);
    }

    /** What was asked so far, how it ended, and how often. */
    public Map<Ending, Long> calls() {
        return wire.tally().counts();
    }

    /** How many calls are under way. */
    public int underWay() {
        return gate.underWay();
    }

    /** How many calls wait for their turn. */
    public int waiting() {
        return gate.waiting();
    }

    /** Whether it is not asked for a while, because too many calls failed. */
    public boolean leftAlone() {
        return gate.closed();
    }

    /** Whether it answers as soon as can be expected, as far as that can be told by the calls that are under way. */
    public boolean prompt() {
        return gate.prompt();
    }

    public Optional<ArrayController> controller() {
        return wire.get("/vcontrollers", Map.of()).list("vcontrollers").stream()
                .filter(each -> each.text("state").equalsIgnoreCase("active"))
                .findFirst()
                .map(ArrayController::of);
    }

    public List<ArrayPool> pools() {
        return all("/pools", "pools", Map.of(), ArrayPool::of, ArrayPool::id);
    }

    /** Sets with how much left a pool is in emergency mode. */
    public void protect(String pool, long emergencyGibibytes) {
        var _ = wire.post(
                "/pools/" + pool + "/update_protection", Map.of("emergencymode", String.valueOf(emergencyGibibytes)));
    }

    public List<ArrayVolume> volumes() {
        return all("/volumes", "volumes", Map.of(), ArrayVolume::of, ArrayVolume::id);
    }

    /** Arrays may tell more than what was asked for, so the name is compared here. */
    public Optional<ArrayVolume> volumeNamed(String displayName) {
        return all("/volumes", "volumes", Map.of("display_name", displayName), ArrayVolume::of, ArrayVolume::id)
                .stream()
                .filter(volume -> volume.displayName().equals(displayName))
                .findFirst();
    }

    public Optional<ArrayVolume> volume(String id) {
        return unless(
                ArrayStatus.NO_SUCH_VOLUME,
                () -> ArrayVolume.of(wire.get("/volumes/" + id, Map.of()).part("volume")));
    }

    /** @return the id of the volume, which may still be in the making */
    public String createVolume(NewVolume wanted) {
        var fields = new HashMap<String, String>(wanted.options());
        fields.put("name", wanted.displayName());
        fields.put("capacity", wanted.gibibytes() + "G");
        fields.put("pool", wanted.pool());
        fields.put("block", wanted.block() ? "YES" : "NO");
        fields.putIfAbsent("thin", "YES");
        return wire.post("/volumes", fields).text("vol_name");
    }

    public void comment(String id, String comment) {
        var _ = wire.post("/volumes/" + id + "/update_comment", Map.of("new_comment", comment));
    }

    /** A volume that is gone is fine. */
    public void deleteVolume(String id) {
        var _ = unless(ArrayStatus.NO_SUCH_VOLUME, () -> wire.delete("/volumes/" + id, Map.of()));
    }

    /** The volumes that were deleted and can still be brought back. */
    public List<ArrayVolume> recycled(String pool) {
        return all("/pools/" + pool + "/volumes_in_recycle_bin", "volumes", Map.of(), ArrayVolume::of, ArrayVolume::id);
    }

    /** Ends what is left of a deleted volume. One that is gone is fine. */
    public void purgeVolume(String id) {
        var _ = unless(
                ArrayStatus.NO_SUCH_VOLUME,
                () -> wire.delete("/volumes/" + id + "/delete_volume_from_recycle_bin", Map.of()));
    }

    /** Adds so much to a volume: asking twice adds twice. */
    public void expandBy(String id, long gibibytes) {
        var _ = wire.post("/volumes/" + id + "/expand", Map.of("capacity", gibibytes + "G"));
    }

    public List<ArrayServer> servers() {
        return all("/servers", "servers", Map.of(), ArrayServer::of, ArrayServer::id);
    }

    public Optional<ArrayServer> server(String id) {
        return unless(
                ArrayStatus.NO_SUCH_SERVER,
                () -> ArrayServer.of(wire.get("/servers/" + id, Map.of()).part("server")));
    }

    /** @return the id of the record */
    public String createServer(String displayName, String iqn, String address) {
        return wire.post("/servers", Map.of("display_name", displayName, "iqn", iqn, "iscsi", address, "os", "Linux"))
                .text("server_name");
    }

    public void changeServer(String id, String displayName, String iqn, String address) {
        var _ = wire.post(
                "/servers/" + id + "/config", Map.of("display_name", displayName, "iqn", iqn, "iscsi", address));
    }

    /** A record that is gone is fine; one that has volumes is refused. */
    public void deleteServer(String id) {
        var _ = unless(ArrayStatus.NO_SUCH_SERVER, () -> wire.delete("/servers/" + id, Map.of()));
    }

    /** Attaching again is no error. */
    public void attach(String server, String volume, boolean readOnly, Optional<String> accessType) {
        var fields = new HashMap<String, String>();
        fields.put("volume_name[]", volume);
        fields.put("readonly", readOnly ? "YES" : "NO");
        accessType.ifPresent(type -> fields.put("access_type", type));
        var _ = wire.post("/servers/" + server + "/volumes", fields);
    }

    /** How each server that the volume is attached to sees it; none when the volume is gone. */
    public List<ArrayUnit> units(String volume) {
        return unless(
                        ArrayStatus.NO_SUCH_VOLUME,
                        () -> all(
                                "/volumes/" + volume + "/servers",
                                "servers",
                                Map.of(),
                                ArrayUnit::of,
                                ArrayUnit::server))
                .orElse(List.of());
    }

    /**
     * Detaches a volume; one that is not attached, or gone, is fine.
     *
     * @param force also while it is in use: the server's connections end, and when this returns nothing of it is in flight
     */
    public void detach(String volume, String server, boolean force) {
        try {
            var _ = wire.post(
                    "/volumes/" + volume + "/detach", Map.of("server_name[]", server, "force", force ? "YES" : "NO"));
        } catch (Refused refused) {
            if (refused.status() != ArrayStatus.NO_SUCH_VOLUME && refused.status() != ArrayStatus.NO_SUCH_SERVER) {
                throw refused;
            }
        }
    }

    public List<ArraySnapshot> snapshots() {
        return all("/snapshots", "snapshots", Map.of(), ArraySnapshot::of, ArraySnapshot::id);
    }

    public Optional<ArraySnapshot> snapshot(String id) {
        return unless(
                ArrayStatus.NO_SUCH_SNAPSHOT,
                () -> ArraySnapshot.of(wire.get("/snapshots/" + id, Map.of()).part("snapshot")));
    }

    public Optional<ArraySnapshot> snapshotNamed(String group, String displayName) {
        return all(
                        "/consistency_groups/" + group + "/snapshots",
                        "snapshots",
                        Map.of(),
                        ArraySnapshot::of,
                        ArraySnapshot::id)
                .stream()
                .filter(snapshot -> snapshot.displayName().equals(displayName))
                .findFirst();
    }

    /** @return the id of the snapshot */
    public String createSnapshot(String group, String displayName) {
        return wire.post("/consistency_groups/" + group + "/snapshots", Map.of("display_name", displayName))
                .text("snapshot_name");
    }

    /** A snapshot that is gone is fine. */
    public void deleteSnapshot(String id) {
        var _ = unless(ArrayStatus.NO_SUCH_SNAPSHOT, () -> wire.delete("/snapshots/" + id, Map.of()));
    }

    /** Begins to copy what is in a group now, or was at a snapshot. The copy is known by its name. */
    public void cloneVolume(String group, String displayName, Optional<String> snapshot) {
        var fields = new HashMap<String, String>();
        fields.put("name", displayName);
        // Clients of these arrays spell it in two ways, and the arrays take both.
        snapshot.ifPresent(id -> {
            fields.put("snapshot", id);
            fields.put("snapshot_id", id);
        });
        var _ = wire.post("/consistency_groups/" + group + "/clone", fields);
    }

    private static <T> Optional<T> unless(int status, Supplier<T> call) {
        try {
            return Optional.of(call.get());
        } catch (Refused refused) {
            if (refused.status() == status) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /** The whole of a list, page by page. What comes or goes meanwhile may be told twice or not at all, so ids are told apart. */
    private <T> List<T> all(
            String path, String field, Map<String, String> query, Function<Answer, T> read, Function<T, String> id) {
        var found = new ArrayList<T>();
        var seen = new HashSet<String>();
        Predicate<T> isNew = each -> seen.add(id.apply(each));
        for (int start = 0; ; start += PAGE) {
            var page = wire.get(path, pageOf(query, start)).list(field);
            int before = found.size();
            page.stream().map(read).filter(isNew).forEach(found::add);
            if (page.size() != PAGE || found.size() == before) {
                return found;
            }
        }
    }

    private static Map<String, String> pageOf(Map<String, String> query, int start) {
        var paged = new HashMap<>(query);
        paged.put("start", String.valueOf(start));
        paged.put("limit", String.valueOf(PAGE));
        return paged;
    }
}
