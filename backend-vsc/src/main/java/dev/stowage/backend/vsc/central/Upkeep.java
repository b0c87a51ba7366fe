package dev.stowage.backend.vsc.central;

import dev.stowage.backend.vsc.central.attachment.AttachmentKeeper;
import dev.stowage.backend.vsc.central.resource.Kind;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.backend.vsc.central.volume.SnapshotKeeper;
import dev.stowage.backend.vsc.central.volume.VolumeEnd;
import dev.stowage.backend.vsc.central.volume.VolumeKeeper;
import dev.stowage.backend.vsc.central.volume.VscSnapshots;
import dev.stowage.backend.vsc.central.volume.VscVolumes;
import dev.stowage.core.lane.Lanes;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscVolume;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What becomes of resources that nobody asks for by CSI any more: those that people made or marked as deleted, and those whose making a
 * crash interrupted.
 */
final class Upkeep {

    private final Resources resources;
    private final VolumeKeeper volumes;
    private final VolumeEnd volumeEnd;
    private final SnapshotKeeper snapshots;
    private final AttachmentKeeper attachments;
    private final Lanes lanes;

    Upkeep(
            Resources resources,
            VolumeKeeper volumes,
            VolumeEnd volumeEnd,
            SnapshotKeeper snapshots,
            AttachmentKeeper attachments,
            Lanes lanes) {
        this.resources = resources;
        this.volumes = volumes;
        this.volumeEnd = volumeEnd;
        this.snapshots = snapshots;
        this.attachments = attachments;
        this.lanes = lanes;
    }

    boolean volume(String name) {
        // Most changes are our own, and leave nothing to do.
        if (resources.volumes().told(name).filter(told -> !settled(told)).isEmpty()) {
            return true;
        }
        return inItsTurn(VscVolumes.lane(name), () -> {
            var found = resources.volumes().find(name);
            if (found.isEmpty()) {
                return true;
            }
            if (Kind.ending(found.get())) {
                volumeEnd.end(found.get());
                return true;
            }
            return volumes.settle(found.get());
        });
    }

    /**
     * Whoever is at work on the object, usually because CSI asked for it, also finishes it. To wait for that here would take a place
     * from an object that nobody works on; so it is looked at again a little later, when there is mostly nothing left to do.
     */
    private boolean inItsTurn(List<Lanes.Wish> lane, BooleanSupplier work) {
        var free = lanes.enterIfFree("upkeep", lane);
        if (free.isEmpty()) {
            return false;
        }
        try (var _ = free.get()) {
            return work.getAsBoolean();
        }
    }

    private static boolean settled(VscVolume volume) {
        return volume.getStatus().state() == VscVolume.State.READY
                && !Kind.ending(volume)
                && !VolumeKeeper.unsettled(volume);
    }

    boolean externalVolume(String name) {
        resources
                .externalVolumes()
                .find(name)
                .filter(Kind::ending)
                // Its data is not ours.
                .ifPresent(resources.externalVolumes()::release);
        return true;
    }

    boolean snapshot(String name) {
        if (resources
                .snapshots()
                .told(name)
                .filter(told -> told.getStatus().state() != VscSnapshot.State.READY || Kind.ending(told))
                .isEmpty()) {
            return true;
        }
        return inItsTurn(VscSnapshots.lane(name), () -> {
            resources.snapshots().find(name).ifPresent(found -> {
                if (Kind.ending(found)) {
                    snapshots.end(found, false);
                } else {
                    var _ = snapshots.provide(found);
                }
            });
            return true;
        });
    }

    /** An attachment is only ever asked for by CSI; its end, by anybody. */
    boolean attachment(String name) {
        var told = resources.attachments().told(name).filter(Kind::ending);
        if (told.isEmpty()) {
            return true;
        }
        return inItsTurn(VscVolumes.lane(told.get().getSpec().volumeName()), () -> {
            resources.attachments().find(name).filter(Kind::ending).ifPresent(attachments::detachIfUnused);
            return true;
        });
    }
}
