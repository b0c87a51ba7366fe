package dev.stowage.backend.vsc.central.member;

import dev.stowage.arrayapi.ArrayClient;
import dev.stowage.arrayapi.ArrayController;
import dev.stowage.arrayapi.ArrayPool;
import dev.stowage.backend.vsc.central.placement.Candidate;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An array as the controller knows it now. */
public final class Member {

    static final String NOT_YET = "has not been looked at yet";

    private final String name;
    private final String addedAt;
    private final Access access;
    private final ArrayClient client;
    /** What volumes in the making will take, until the array has counted them itself. */
    private final Map<String, Promise> promised = new ConcurrentHashMap<>();
    /** What has ended since the array was looked at, which it still counted then. */
    private final Map<String, Promise> ended = new ConcurrentHashMap<>();

    private volatile @Nullable View view;
    private volatile String trouble = NOT_YET;

    /** How an array is reached. Another one of these is another client. */
    record Access(String hostname, String token) {}

    /** What an array told when it was last asked. */
    public record View(ArrayController controller, ArrayPool pool, int volumes, int snapshots) {}

    /** @param keptAt when the volume was made or ended, or nothing while it is not */
    private record Promise(long bytes, OptionalLong keptAt) {
        boolean countedBy(long time) {
            return keptAt.isPresent() && keptAt.getAsLong() - time < 0;
        }
    }

    Member(String name, String addedAt, Access access, ArrayClient client) {
        this.name = name;
        this.addedAt = addedAt;
        this.access = access;
        this.client = client;
    }

    public String name() {
        return name;
    }

    public ArrayClient client() {
        return client;
    }

    Access access() {
        return access;
    }

    /** What it told last, whether or not it can be reached now. */
    public Optional<View> view() {
        return Optional.ofNullable(view);
    }

    /** Its pool and its portals, which it must have told before it can have volumes. */
    public View known() {
        return view().orElseThrow(() -> StowageException.unavailable(
                "array %s %s; repeat the call when VPSA %s is Ready", name, trouble, name));
    }

    /** @param askedAt when it was begun to ask, in the nanoseconds of this process */
    void seen(View now, long askedAt) {
        view = now;
        trouble = "";
        promised.values().removeIf(promise -> promise.countedBy(askedAt));
        ended.values().removeIf(end -> end.countedBy(askedAt));
    }

    void troubled(String why) {
        trouble = why;
    }

    /** Why it takes no new volume of that size, or nothing if it does. */
    public Optional<String> objection(long bytes) {
        var now = view;
        if (!trouble.isEmpty() || now == null) {
            return Optional.of(trouble);
        }
        if (!now.pool().mode().equals("normal")) {
            return Optional.of("is in capacity mode " + now.pool().mode());
        }
        long available = available(now);
        return available >= bytes
                ? Optional.empty()
                : Optional.of("has %s left of the needed %s".formatted(Sizes.text(available), Sizes.text(bytes)));
    }

    /** What is left, without what was promised. */
    public long available() {
        return available(known());
    }

    private long available(View now) {
        return Math.max(0, now.pool().availableBytes() - sum(promised));
    }

    private static long sum(Map<String, Promise> volumes) {
        return volumes.values().stream().mapToLong(Promise::bytes).sum();
    }

    Candidate candidate() {
        var now = known();
        return new Candidate(
                name,
                now.pool().capacityBytes(),
                available(now),
                Math.max(0, now.pool().provisionedBytes() - sum(ended)),
                Math.max(0, now.volumes() + promised.size() - ended.size()),
                addedAt);
    }

    void promise(String volume, long bytes) {
        promised.put(volume, new Promise(bytes, OptionalLong.empty()));
    }

    /** The volume is there; the next look at the array counts it. */
    public void kept(String volume) {
        promised.computeIfPresent(
                volume, (key, promise) -> new Promise(promise.bytes(), OptionalLong.of(System.nanoTime())));
    }

    /** The volume was deleted; the next look at the array does not count it any more. */
    public void ended(String volume, long bytes) {
        if (promised.remove(volume) == null) {
            ended.put(volume, new Promise(bytes, OptionalLong.of(System.nanoTime())));
        }
    }

    /** The volume will not be made here. */
    public void forget(String volume) {
        promised.remove(volume);
    }
}
