package dev.stowage.backend.local.volume;

import dev.stowage.core.backend.Volumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.core.volume.Sizes;
import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.VolumeUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What holds for every local volume, whoever keeps the record of it: this process, or a controller that asks many nodes. */
public final class VolumeRules {

    public static final long LARGEST = 15 * Sizes.TIB;
    static final long SIZE_UNIT = 4 * Sizes.KIB;
    private static final long DEFAULT_SIZE = Sizes.GIB;

    private VolumeRules() {}

    /** A volume of a pool is on one node. */
    public static void requirePossible(VolumeUse use) {
        if (use.mode().severalNodes()) {
            throw StowageException.invalid(
                    "access mode %s: a local volume can be used on one node only; use a SINGLE_NODE mode (ReadWriteOnce,"
                            + " ReadWriteOncePod)",
                    use.mode());
        }
        if (use.access() instanceof VolumeUse.Mount mount && !mount.filesystem().isEmpty()) {
            VolumeParameters.filesystem(mount.filesystem());
        }
    }

    /** The size of a volume that starts empty. */
    public static long blankSize(Volumes.Wanted wanted, VolumeParameters parameters) {
        return wanted.size().choose(DEFAULT_SIZE, parameters.smallestSize(wanted.uses()), LARGEST, SIZE_UNIT);
    }

    /** The size of a volume that starts as a copy. */
    public static long copySize(Volumes.Wanted wanted, VolumeParameters parameters, long sourceSize) {
        long least = Math.max(sourceSize, parameters.smallestSize(wanted.uses()));
        return wanted.size().choose(sourceSize, least, LARGEST, SIZE_UNIT);
    }

    /** A volume as it was made. */
    public record Made(
            String name,
            String id,
            long sizeBytes,
            Optional<ContentSource> source,
            VolumeParameters parameters,
            Topology place) {}

    /** Refuses a wish that has the name of a volume which was made for another one. */
    public static void requireSameWish(Made made, Volumes.Wanted wanted, VolumeParameters parameters) {
        String difference = null;
        if (!wanted.size().contains(made.sizeBytes())) {
            difference = "a size of " + Sizes.text(made.sizeBytes()) + " that is outside of the range now asked for";
        } else if (!made.source().equals(wanted.source())) {
            difference = "another source";
        } else if (!made.parameters().equals(parameters)) {
            difference = "other parameters";
        } else if (!wanted.topology().allows(made.place())) {
            difference = "another place, " + made.place().segments();
        }
        if (difference != null) {
            throw StowageException.alreadyExists(
                    "volume '%s' exists as %s with %s; use another name, or delete it first",
                    made.name(), made.id(), difference);
        }
    }

    /** Why a volume of these parameters, size and context cannot be used so, if it cannot. */
    public static Optional<String> objection(
            VolumeParameters own,
            long sizeBytes,
            Map<String, String> ownContext,
            List<VolumeUse> uses,
            Map<String, String> context,
            Map<String, String> parameters,
            Map<String, String> mutableParameters) {
        try {
            uses.forEach(VolumeRules::requirePossible);
            VolumeParameters.parse(parameters, mutableParameters);
            long smallest = own.smallestSize(uses);
            if (smallest > sizeBytes) {
                return Optional.of("the volume is too small for the filesystem: it needs " + Sizes.text(smallest));
            }
        } catch (StowageException.InvalidRequest notPossible) {
            return Optional.ofNullable(notPossible.getMessage());
        }
        boolean sameContext = context.entrySet().stream()
                .filter(entry -> !entry.getKey().contains("/"))
                .allMatch(entry -> entry.getValue().equals(ownContext.get(entry.getKey())));
        return sameContext
                ? Optional.empty()
                : Optional.of("the volume context is not the one this volume was made with");
    }
}
