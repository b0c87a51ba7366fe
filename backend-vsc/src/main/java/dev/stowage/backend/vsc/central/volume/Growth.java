package dev.stowage.backend.vsc.central.volume;

import dev.stowage.arrayapi.ArrayVolume;
import dev.stowage.backend.vsc.central.member.Asking;
import dev.stowage.backend.vsc.central.member.Member;
import dev.stowage.backend.vsc.central.resource.Kind;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import dev.stowage.kube.vsc.VscVolume;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Makes a volume larger on its array.
 *
 * <p>An array adds what it is told, each time it is told. So the wanted size is on record, the difference is computed from what the
 * array says now, and before it is asked it is on record from which size to which, and when. Whoever finds such a record and the old
 * size waits until that request must have ended before asking again: it may still be on its way.
 */
public final class Growth {

    private static final String ANNOTATION = "storage.stowage.dev/growing";

    private final Resources resources;
    private final Duration settled;
    private final InstantSource clock;

    /** @param settled after how long a request to an array must have ended */
    public Growth(Resources resources, Duration settled, InstantSource clock) {
        this.resources = resources;
        this.settled = settled;
        this.clock = clock;
    }

    private record Attempt(long from, long to, Instant asked) {

        static Optional<Attempt> of(VscVolume volume) {
            return Kind.annotation(volume, ANNOTATION).map(text -> {
                var parts = text.split(" ", -1);
                return new Attempt(
                        Long.parseLong(parts[0]),
                        Long.parseLong(parts[1]),
                        Instant.ofEpochSecond(Long.parseLong(parts[2])));
            });
        }

        @Override
        public String toString() {
            return "%d %d %d".formatted(from, to, asked.getEpochSecond());
        }
    }

    /** Grows the volume to at least that size; fails as arrays do. */
    ArrayVolume reach(Member member, VscVolume volume, ArrayVolume present, long wantedBytes) {
        long missing = Math.ceilDiv(wantedBytes - present.sizeBytes(), Sizes.GIB);
        if (missing <= 0) {
            var _ = resources.volumes().annotate(volume, ANNOTATION, null);
            return present;
        }
        requireSettled(volume, present);
        long to = present.sizeBytes() + missing * Sizes.GIB;
        var noted = resources
                .volumes()
                .annotate(volume, ANNOTATION, new Attempt(present.sizeBytes(), to, clock.instant()).toString());
        member.client().expandBy(present.id(), missing);
        var grown = Settling.await(
                "growth of volume " + VolumeKeeper.name(volume),
                () -> member.client().volume(present.id()),
                now -> now.usable() && now.sizeBytes() >= to);
        var _ = resources.volumes().annotate(noted, ANNOTATION, null);
        return grown;
    }

    private void requireSettled(VscVolume volume, ArrayVolume present) {
        var pending = Attempt.of(volume)
                .filter(attempt -> attempt.from() == present.sizeBytes())
                .filter(attempt -> clock.instant().isBefore(attempt.asked().plus(settled)));
        if (pending.isPresent()) {
            throw StowageException.unavailable(
                    "volume %s: its array was asked to grow it and has not done so yet; it is asked again when that request"
                            + " must have ended, in %d s",
                    VolumeKeeper.name(volume),
                    Duration.between(clock.instant(), pending.get().asked().plus(settled))
                                    .toSeconds()
                            + 1);
        }
    }

    /** Grows a volume in use. */
    VscVolume grow(Member member, VscVolume volume, long wantedBytes) {
        String what = "growth of volume " + VolumeKeeper.name(volume);
        var recorded = resources.volumes().set(volume, "size", VscVolumes.quantity(wantedBytes));
        var reached = Asking.about(what, () -> {
            var present = member.client()
                    .volume(recorded.getStatus().id())
                    .orElseThrow(() -> StowageException.internal(
                            "%s: array %s has no %s any more",
                            what, member.name(), recorded.getStatus().id()));
            return reach(member, recorded, present, wantedBytes);
        });
        // The array may have rounded it up.
        return reached.sizeBytes() == wantedBytes
                ? recorded
                : resources.volumes().set(recorded, "size", VscVolumes.quantity(reached.sizeBytes()));
    }
}
