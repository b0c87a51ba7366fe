package dev.stowage.backend.vsc.central.volume;

import dev.stowage.arrayapi.ArraySnapshot;
import dev.stowage.backend.vsc.central.member.Asking;
import dev.stowage.backend.vsc.central.member.Import;
import dev.stowage.backend.vsc.central.member.Members;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscSnapshot.State;
import dev.stowage.kube.vsc.VscVolume;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Brings a snapshot from its resource to its array, and to its end. Whoever calls holds its lane. */
public final class SnapshotKeeper {

    private final Resources resources;
    private final Members members;

    public SnapshotKeeper(Resources resources, Members members) {
        this.resources = resources;
        this.members = members;
    }

    /** The snapshot when it can be used. */
    public VscSnapshot provide(VscSnapshot wanted) {
        if (wanted.getStatus().state() == State.READY) {
            return wanted;
        }
        String what = "snapshot " + name(wanted);
        String source = wanted.getSpec().volumeId();
        var volume = resources
                .volumes()
                .find(source)
                .orElseThrow(() -> StowageException.notFound("%s: volume %s does not exist", what, source));
        if (volume.getStatus().state() != VscVolume.State.READY) {
            throw StowageException.notPossible("%s: volume %s is not Ready", what, source);
        }
        boolean first = wanted.getStatus().state() != State.TAKING_SNAPSHOT;
        var protectedOne = resources.snapshots().protect(wanted);
        var taking = first ? resources.snapshots().status(protectedOne, taking(volume)) : protectedOne;
        var taken = Asking.about(what, () -> take(volume, taking, first));
        return resources.snapshots().status(taking, ready(volume, taken));
    }

    /** The same name is the same snapshot; it is looked for unless the array cannot have been asked before. */
    private ArraySnapshot take(VscVolume volume, VscSnapshot snapshot, boolean first) {
        var client = members.require(volume.getStatus().vpsaId()).client();
        String group = volume.getStatus().cgId();
        String displayName = snapshot.getSpec().displayName();
        var present = first ? Optional.<ArraySnapshot>empty() : client.snapshotNamed(group, displayName);
        if (present.isPresent()) {
            return present.get();
        }
        String id = client.createSnapshot(group, displayName);
        return Settling.await("snapshot " + name(snapshot), () -> client.snapshot(id), found -> true);
    }

    private static VscSnapshot.Status taking(VscVolume volume) {
        var status = volume.getStatus();
        return new VscSnapshot.Status(
                State.TAKING_SNAPSHOT,
                null,
                null,
                status.vpsaId(),
                status.cgId(),
                status.poolId(),
                status.id(),
                null,
                null);
    }

    private static VscSnapshot.Status ready(VscVolume volume, ArraySnapshot taken) {
        var status = volume.getStatus();
        return new VscSnapshot.Status(
                State.READY,
                taken.sizeBytes() > 0
                        ? VscVolumes.quantity(taken.sizeBytes())
                        : volume.getSpec().size(),
                taken.takenAt()
                        .orElseGet(() -> Instant.now().truncatedTo(ChronoUnit.SECONDS))
                        .toString(),
                status.vpsaId(),
                status.cgId(),
                status.poolId(),
                status.id(),
                taken.id(),
                null);
    }

    /**
     * Ends a snapshot whose resource is marked as deleted.
     *
     * @param asked whether the snapshot's own deletion was asked for, and not only that of a resource which was brought in
     */
    public void end(VscSnapshot marked, boolean asked) {
        String what = "snapshot " + name(marked);
        var array = Optional.ofNullable(marked.getStatus().vpsaId());
        if (array.isPresent() && (asked || !Import.imported(marked))) {
            var snapshot =
                    resources.snapshots().status(marked, marked.getStatus().in(State.DELETING, null));
            Asking.doing("deletion of " + what, () -> remove(array.get(), snapshot));
            resources.snapshots().release(snapshot);
        } else {
            resources.snapshots().release(marked);
        }
    }

    private void remove(String array, VscSnapshot snapshot) {
        var client = members.require(array).client();
        var status = snapshot.getStatus();
        Optional.ofNullable(status.vpsaSnapshotId())
                .or(() -> client.snapshotNamed(
                                String.valueOf(status.cgId()),
                                snapshot.getSpec().displayName())
                        .map(ArraySnapshot::id))
                .ifPresent(client::deleteSnapshot);
    }

    static String name(VscSnapshot snapshot) {
        return snapshot.getMetadata().getName();
    }
}
