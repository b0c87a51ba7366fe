package dev.stowage.backend.local;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.backend.local.snapshot.Freezer;
import dev.stowage.backend.local.snapshot.LocalChangedBlocks;
import dev.stowage.backend.local.snapshot.LocalGroupSnapshots;
import dev.stowage.backend.local.snapshot.LocalSnapshots;
import dev.stowage.backend.local.snapshot.StillSource;
import dev.stowage.backend.local.volume.LocalAttachments;
import dev.stowage.backend.local.volume.LocalCapacity;
import dev.stowage.backend.local.volume.LocalExpansion;
import dev.stowage.backend.local.volume.LocalHealth;
import dev.stowage.backend.local.volume.LocalModification;
import dev.stowage.backend.local.volume.LocalVolumes;
import dev.stowage.core.backend.Attachments;
import dev.stowage.core.backend.Capacity;
import dev.stowage.core.backend.ChangedBlocks;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.backend.Expansion;
import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.core.backend.Health;
import dev.stowage.core.backend.Modification;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.id.VolumeId;
import java.util.List;
import java.util.Optional;

/** Everything that can be done to a pool's volumes. The local backend lacks nothing. */
record LocalController(
        Volumes volumes,
        Optional<Attachments> attachments,
        Optional<Capacity> capacity,
        Optional<Expansion> expansion,
        Optional<Modification> modification,
        Optional<Snapshots> snapshots,
        Optional<GroupSnapshots> groupSnapshots,
        Optional<ChangedBlocks> changedBlocks,
        Optional<Health> health)
        implements ControllerSide {

    /** What the controller's side asks of the node's, when both are in this process. */
    interface NodeSide {
        void deleted(VolumeId volume);

        List<HealthIssue> issues(VolumeId volume);
    }

    static LocalController open(
            LocalSettings settings, Pool pool, PoolRecords records, PoolSpace space, NodeSide node) {
        var here = settings.topology();
        var freezer = new Freezer(pool, records, settings.longestFreeze());
        var still = new StillSource(pool, records, freezer, settings.longestFreeze());
        var volumes = new LocalVolumes(pool, records, space, still, here, node::deleted);
        var expansion = new LocalExpansion(pool, records, space);
        var modification = new LocalModification(pool, records, space);
        var snapshots = new LocalSnapshots(pool, records, space, still, here);
        var groups = new LocalGroupSnapshots(pool, records, space, freezer, here);
        new Sweep(pool, records, space, volumes, expansion, modification, snapshots, groups).run();
        return new LocalController(
                volumes,
                Optional.of(new LocalAttachments(records, settings.node(), settings.mostVolumes())),
                Optional.of(new LocalCapacity(space, here)),
                Optional.of(expansion),
                Optional.of(modification),
                Optional.of(snapshots),
                Optional.of(groups),
                Optional.of(new LocalChangedBlocks(pool, records)),
                Optional.of(new LocalHealth(pool, records, space, node::issues)));
    }

    @Override
    public boolean topologyConstrained() {
        return true;
    }
}
