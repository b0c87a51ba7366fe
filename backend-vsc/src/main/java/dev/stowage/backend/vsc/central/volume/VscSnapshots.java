package dev.stowage.backend.vsc.central.volume;

import dev.stowage.backend.vsc.central.resource.Kind;
import dev.stowage.backend.vsc.central.resource.Names;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.Lanes;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.page.Paging;
import dev.stowage.core.volume.Snapshot;
import dev.stowage.kube.vsc.VscResources;
import dev.stowage.kube.vsc.VscSnapshot;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Snapshots on arrays, as CSI asks for them. The resource's name is the snapshot's id. */
public final class VscSnapshots implements Snapshots {

    private final Resources resources;
    private final VscVolumes volumes;
    private final SnapshotKeeper keeper;
    private final Lanes lanes;

    public VscSnapshots(Resources resources, VscVolumes volumes, SnapshotKeeper keeper, Lanes lanes) {
        this.resources = resources;
        this.volumes = volumes;
        this.keeper = keeper;
        this.lanes = lanes;
    }

    /** The lane of a snapshot's resource. */
    public static List<Lanes.Wish> lane(String snapshot) {
        return List.of(Lanes.Wish.exclusive("snapshot resource", snapshot));
    }

    @Override
    public Snapshot create(Wanted wanted) {
        resources.requireReady();
        wanted.parameters().keySet().stream()
                .filter(key -> !key.startsWith(Parameters.OF_KUBERNETES))
                .findFirst()
                .ifPresent(unknown -> {
                    throw StowageException.invalid("parameter %s is not known; snapshots of arrays have none", unknown);
                });
        String name = Names.snapshot(wanted.name());
        try (var _ = lanes.enter("CreateSnapshot", lane(name))) {
            var snapshot = resources.snapshots().find(name).orElseGet(() -> {
                var _ = volumes.require(wanted.source());
                return resources.snapshots().createAndSee(order(name, wanted));
            });
            requireSame(snapshot, wanted);
            try {
                return shown(keeper.provide(snapshot));
            } catch (StowageException.NotFound | StowageException.NotPossible nothingWasMade) {
                forget(name);
                throw nothingWasMade;
            }
        }
    }

    /** The array was not asked, or said no. */
    private void forget(String name) {
        resources
                .snapshots()
                .find(name)
                .filter(snapshot -> snapshot.getStatus().vpsaSnapshotId() == null)
                .ifPresent(snapshot -> {
                    resources.snapshots().delete(snapshot);
                    resources.snapshots().find(name).ifPresent(marked -> keeper.end(marked, true));
                });
    }

    private static VscSnapshot order(String name, Wanted wanted) {
        var snapshot = new VscSnapshot();
        snapshot.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withFinalizers(VscResources.FINALIZER)
                .build());
        snapshot.setSpec(new VscSnapshot.Spec(name, null, wanted.source().value()));
        return snapshot;
    }

    private static void requireSame(VscSnapshot present, Wanted wanted) {
        String name = SnapshotKeeper.name(present);
        if (Kind.ending(present)) {
            throw StowageException.unavailable("snapshot %s is being deleted; repeat the call when it is gone", name);
        }
        if (!present.getSpec().volumeId().equals(wanted.source().value())) {
            throw StowageException.alreadyExists(
                    "snapshot %s is already there, of volume %s",
                    name, present.getSpec().volumeId());
        }
    }

    @Override
    public void delete(SnapshotId id) {
        resources.requireReady();
        try (var _ = lanes.enter("DeleteSnapshot", lane(id.value()))) {
            resources.snapshots().find(id.value()).ifPresent(present -> {
                resources.snapshots().delete(present);
                resources.snapshots().find(id.value()).ifPresent(marked -> keeper.end(marked, true));
            });
        }
    }

    @Override
    public Snapshot find(SnapshotId id) {
        resources.requireReady();
        return resources
                .snapshots()
                .find(id.value())
                .filter(snapshot -> snapshot.getStatus().state() == VscSnapshot.State.READY)
                .map(VscSnapshots::shown)
                .orElseThrow(() -> StowageException.notFound("snapshot %s does not exist", id));
    }

    @Override
    public Page<Snapshot> list(Optional<VolumeId> source, PageRequest page) {
        resources.requireReady();
        var all = new TreeMap<SnapshotId, VscSnapshot>();
        var some = source.map(volume -> resources.snapshots().by(Resources.BY_VOLUME, volume.value()))
                .orElseGet(() -> resources.snapshots().all());
        some.stream()
                .filter(snapshot -> snapshot.getStatus().state() == VscSnapshot.State.READY)
                .forEach(snapshot -> all.put(new SnapshotId(SnapshotKeeper.name(snapshot)), snapshot));
        return Paging.of(all, page, SnapshotId::new, snapshot -> true).map(VscSnapshots::shown);
    }

    private static Snapshot shown(VscSnapshot snapshot) {
        var status = snapshot.getStatus();
        return new Snapshot(
                new SnapshotId(SnapshotKeeper.name(snapshot)),
                new VolumeId(snapshot.getSpec().volumeId()),
                Objects.requireNonNull(status.size()).getNumericalAmount().longValueExact(),
                Optional.ofNullable(status.createdTimestamp())
                        .map(Instant::parse)
                        .orElse(Instant.EPOCH),
                true,
                Optional.empty(),
                List.of());
    }
}
