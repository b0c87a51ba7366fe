package dev.stowage.backend.local.cluster.order;

import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.TopologyRequirement;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.kube.local.LocalGroupSnapshot;
import dev.stowage.kube.local.LocalSnapshot;
import dev.stowage.kube.local.LocalVolume;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A caller's wish as an order for a node, and an order as a wish of the local backend there. */
public final class Wishes {

    private Wishes() {}

    public static LocalVolume.Spec order(Volumes.Wanted wanted, String node) {
        return new LocalVolume.Spec(
                node,
                wanted.name().value(),
                wanted.size().required(),
                wanted.size().limit(),
                wanted.uses().stream().map(Wishes::use).toList(),
                wanted.parameters(),
                wanted.mutableParameters(),
                wanted.source().map(Wishes::source).orElse(null),
                1,
                null,
                List.of());
    }

    /** The place was chosen by whoever wrote the order, so the wish has none. */
    public static Volumes.Wanted wish(LocalVolume.Spec order) {
        return new Volumes.Wanted(
                new RequestName(order.name()),
                new SizeRange(order.requiredBytes(), order.limitBytes()),
                order.uses().stream().map(Wishes::use).toList(),
                order.parameters(),
                order.mutableParameters(),
                source(order.source()),
                TopologyRequirement.ANYWHERE);
    }

    public static LocalSnapshot.Spec order(Snapshots.Wanted wanted, String node) {
        return new LocalSnapshot.Spec(
                node, wanted.name().value(), wanted.source().value(), wanted.parameters(), 1, false);
    }

    public static Snapshots.Wanted wish(LocalSnapshot.Spec order) {
        return new Snapshots.Wanted(
                new RequestName(order.name()),
                new VolumeId(order.sourceVolumeId()),
                order.parameters(),
                TopologyRequirement.ANYWHERE);
    }

    public static LocalGroupSnapshot.Spec order(GroupSnapshots.Wanted wanted, String node) {
        return new LocalGroupSnapshot.Spec(
                node,
                wanted.name().value(),
                wanted.sources().stream().map(VolumeId::value).toList(),
                wanted.parameters(),
                1,
                false);
    }

    public static GroupSnapshots.Wanted wish(LocalGroupSnapshot.Spec order) {
        return new GroupSnapshots.Wanted(
                new RequestName(order.name()),
                order.sourceVolumeIds().stream().map(VolumeId::new).toList(),
                order.parameters());
    }

    public static Optional<ContentSource> source(LocalVolume.@Nullable Source source) {
        if (source == null) {
            return Optional.empty();
        }
        String snapshot = source.snapshotId();
        return Optional.of(
                snapshot != null
                        ? new ContentSource.OfSnapshot(new SnapshotId(snapshot))
                        : new ContentSource.OfVolume(new VolumeId(Objects.requireNonNullElse(source.volumeId(), ""))));
    }

    private static LocalVolume.Source source(ContentSource source) {
        return switch (source) {
            case ContentSource.OfSnapshot(var snapshot) -> new LocalVolume.Source(snapshot.value(), null);
            case ContentSource.OfVolume(var volume) -> new LocalVolume.Source(null, volume.value());
        };
    }

    private static LocalVolume.Use use(VolumeUse use) {
        return switch (use.access()) {
            case VolumeUse.Block() ->
                new LocalVolume.Use(true, null, List.of(), null, use.mode().name());
            case VolumeUse.Mount(var filesystem, var flags, var group) ->
                new LocalVolume.Use(
                        false,
                        filesystem.isEmpty() ? null : filesystem,
                        flags,
                        group.orElse(null),
                        use.mode().name());
        };
    }

    private static VolumeUse use(LocalVolume.Use use) {
        var access = use.block()
                ? new VolumeUse.Block()
                : new VolumeUse.Mount(
                        Objects.requireNonNullElse(use.filesystem(), ""),
                        use.mountFlags(),
                        Optional.ofNullable(use.group()));
        try {
            return new VolumeUse(access, AccessMode.valueOf(use.mode()));
        } catch (IllegalArgumentException unknown) {
            throw StowageException.invalid("access mode '%s' is not known", use.mode());
        }
    }
}
