package dev.stowage.backend.vsc.central.volume;

import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscVolume;
import java.util.Objects;
import java.util.Optional;

/** What a volume starts as a copy of. */
final class Sources {

    private final Resources resources;

    Sources(Resources resources) {
        this.resources = resources;
    }

    /**
     * A source on its array.
     *
     * @param group through which a copy is made
     * @param snapshot the snapshot to copy, or what is there now
     */
    record Source(String array, String group, Optional<String> snapshot, long sizeBytes) {}

    Optional<Source> of(VscVolume volume) {
        return Optional.ofNullable(volume.getSpec().source()).map(this::resolve);
    }

    Source resolve(VscVolume.Source source) {
        return source.snapshotName() == null
                ? ofVolume(String.valueOf(source.volumeName()))
                : ofSnapshot(source.snapshotName());
    }

    private Source ofVolume(String name) {
        var volume = resources
                .volumes()
                .find(name)
                .orElseThrow(() -> StowageException.notFound("source volume %s does not exist", name));
        var status = volume.getStatus();
        if (status.state() != VscVolume.State.READY) {
            throw StowageException.notPossible("source volume %s is not Ready", name);
        }
        return new Source(status.vpsaId(), status.cgId(), Optional.empty(), VolumeKeeper.size(volume));
    }

    private Source ofSnapshot(String name) {
        var snapshot = resources
                .snapshots()
                .find(name)
                .orElseThrow(() -> StowageException.notFound("source snapshot %s does not exist", name));
        var status = snapshot.getStatus();
        if (status.state() != VscSnapshot.State.READY) {
            throw StowageException.notPossible("source snapshot %s is not Ready", name);
        }
        return new Source(
                Objects.requireNonNull(status.vpsaId()),
                Objects.requireNonNull(status.cgId()),
                Optional.ofNullable(status.vpsaSnapshotId()),
                Objects.requireNonNull(status.size()).getNumericalAmount().longValueExact());
    }
}
