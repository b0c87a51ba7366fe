package dev.stowage.driver.message;

import csi.v1.CapacityRange;
import csi.v1.VolumeContentSource;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.core.volume.SizeRange;
import java.util.List;
import java.util.Optional;

/** Small parts of requests read into the model. */
public final class Requests {

    /**
     * A caller that sets no bound gets the rest by the token, as any caller must expect. Without one of our own the answer would outgrow
     * the 4 MiB that most clients accept, and many such answers at once our memory.
     */
    public static final int MOST_ENTRIES = 1000;

    private Requests() {}

    public static PageRequest page(int maxEntries, String startingToken) {
        return new PageRequest(maxEntries == 0 ? MOST_ENTRIES : Math.min(maxEntries, MOST_ENTRIES), startingToken);
    }

    public static SizeRange size(boolean present, CapacityRange range) {
        return present ? new SizeRange(range.getRequiredBytes(), range.getLimitBytes()) : SizeRange.ANY;
    }

    public static SizeRange requiredSize(boolean present, CapacityRange range) {
        var size = size(present, range);
        if (size.equals(SizeRange.ANY)) {
            throw StowageException.invalid("capacity_range is missing: neither required_bytes nor limit_bytes is set");
        }
        return size;
    }

    public static Optional<ContentSource> source(boolean present, VolumeContentSource source) {
        if (!present) {
            return Optional.empty();
        }
        return Optional.of(
                switch (source.getTypeCase()) {
                    case SNAPSHOT ->
                        new ContentSource.OfSnapshot(
                                new SnapshotId(source.getSnapshot().getSnapshotId()));
                    case VOLUME ->
                        new ContentSource.OfVolume(
                                new VolumeId(source.getVolume().getVolumeId()));
                    case TYPE_NOT_SET ->
                        throw StowageException.invalid("volume_content_source names neither a snapshot nor a volume");
                });
    }

    /** A path that must be there; {@code field} names it when it is not. */
    public static TargetPath path(String field, String value) {
        return optionalPath(value).orElseThrow(() -> StowageException.invalid("%s is missing", field));
    }

    public static Optional<TargetPath> optionalPath(String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(new TargetPath(value));
    }

    /** Where a volume is to be looked for; {@code field} names it when it is missing. */
    public static TargetPath lookedUp(String field, String value) {
        return optionalLookedUp(value).orElseThrow(() -> StowageException.invalid("%s is missing", field));
    }

    /** Volumes are at absolute paths only, so that one at a relative path is simply not there. */
    public static Optional<TargetPath> optionalLookedUp(String value) {
        if (!value.isEmpty() && !value.startsWith("/")) {
            throw StowageException.notFound("no volume is at a path that is not absolute");
        }
        return optionalPath(value);
    }

    public static List<VolumeId> volumes(List<String> ids) {
        return ids.stream().map(VolumeId::new).toList();
    }

    public static List<SnapshotId> snapshots(List<String> ids) {
        return ids.stream().map(SnapshotId::new).toList();
    }
}
