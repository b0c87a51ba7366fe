package dev.stowage.backend.vsc.central.volume;

import dev.stowage.backend.vsc.central.member.Members;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.backend.Expansion;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.Lanes;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.Sizes;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.kube.vsc.VolumeType;
import dev.stowage.kube.vsc.VscVolume;
import java.util.Optional;

/** Volumes on arrays become larger. */
public final class VscExpansion implements Expansion {

    private final Resources resources;
    private final Members members;
    private final VscVolumes volumes;
    private final Growth growth;
    private final Lanes lanes;

    public VscExpansion(Resources resources, Members members, VscVolumes volumes, Growth growth, Lanes lanes) {
        this.resources = resources;
        this.members = members;
        this.volumes = volumes;
        this.growth = growth;
        this.lanes = lanes;
    }

    @Override
    public Expanded expand(VolumeId id, SizeRange wanted, Optional<VolumeUse> use) {
        resources.requireReady();
        try (var _ = lanes.enter("ControllerExpandVolume", VscVolumes.lane(id.value()))) {
            var volume = volumes.require(id);
            if (volume.getStatus().state() != VscVolume.State.READY) {
                throw StowageException.notPossible("volume %s is not Ready; repeat the call when it is", id);
            }
            long present = VolumeKeeper.size(volume);
            long size = wanted.choose(present, present, VscVolumes.LARGEST, Sizes.GIB);
            var member = members.require(volume.getStatus().vpsaId());
            var grown = growth.grow(member, volume, size);
            // NFS shows the new size by itself; a device has to be looked at again.
            return new Expanded(VolumeKeeper.size(grown), grown.getSpec().volumeType() == VolumeType.BLOCK);
        }
    }
}
