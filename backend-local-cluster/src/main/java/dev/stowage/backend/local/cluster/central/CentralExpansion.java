package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.volume.VolumeRules;
import dev.stowage.core.backend.Expansion;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.kube.local.LocalVolume;
import java.util.Optional;

/** Growth, done by the node. */
final class CentralExpansion implements Expansion {

    private final CentralVolumes volumes;

    CentralExpansion(CentralVolumes volumes) {
        this.volumes = volumes;
    }

    @Override
    public Expanded expand(VolumeId volume, SizeRange size, Optional<VolumeUse> use) {
        use.ifPresent(VolumeRules::requirePossible);
        var order = volumes.requireNow(volume);
        if (size.contains(order.getStatus().sizeBytes())) {
            return new Expanded(order.getStatus().sizeBytes(), true);
        }
        var grown = volumes.done(order, LocalVolume.Task.growth(size.required(), size.limit()));
        if (!size.contains(grown.getStatus().sizeBytes())) {
            throw StowageException.busy("volume %s: another operation came between; repeat the call", volume);
        }
        return new Expanded(grown.getStatus().sizeBytes(), true);
    }
}
