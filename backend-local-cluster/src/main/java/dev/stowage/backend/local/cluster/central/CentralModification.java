package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.volume.VolumeParameters;
import dev.stowage.core.backend.Modification;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.kube.local.LocalVolume;
import java.util.Map;

/** Changes of mutable parameters, done by the node. */
final class CentralModification implements Modification {

    private final CentralVolumes volumes;

    CentralModification(CentralVolumes volumes) {
        this.volumes = volumes;
    }

    @Override
    public void modify(VolumeId volume, Map<String, String> mutableParameters) {
        var changes = VolumeParameters.parseMutable(mutableParameters);
        var order = volumes.requireNow(volume);
        if (has(order, changes)) {
            return;
        }
        var changed = volumes.done(order, LocalVolume.Task.change(changes));
        if (!has(changed, changes)) {
            throw StowageException.busy("volume %s: another operation came between; repeat the call", volume);
        }
    }

    private static boolean has(LocalVolume order, Map<String, String> values) {
        return order.getStatus().mutableParameters().entrySet().containsAll(values.entrySet());
    }
}
