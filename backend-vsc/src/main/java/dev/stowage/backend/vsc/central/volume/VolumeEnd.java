package dev.stowage.backend.vsc.central.volume;

import dev.stowage.backend.vsc.central.member.Asking;
import dev.stowage.backend.vsc.central.member.Import;
import dev.stowage.backend.vsc.central.member.Member;
import dev.stowage.backend.vsc.central.member.Members;
import dev.stowage.backend.vsc.central.resource.Kind;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.vsc.VscVolume;
import dev.stowage.kube.vsc.VscVolume.State;
import java.util.Optional;
import java.util.stream.Collectors;

/** Brings a volume to its end. Its resource goes last, when the array has nothing of it any more. */
public final class VolumeEnd {

    /** On a volume whose data is not to be kept in the array's recycle bin. */
    static final String RECYCLE_BIN = "storage.stowage.dev/recycle-bin";

    static final String PURGE = "purge";

    private final Resources resources;
    private final Members members;
    private final Abandoned abandoned;

    public VolumeEnd(Resources resources, Members members, Abandoned abandoned) {
        this.resources = resources;
        this.members = members;
        this.abandoned = abandoned;
    }

    /** What has to end before the volume, or nothing. */
    Optional<String> obstacle(VscVolume volume) {
        String name = VolumeKeeper.name(volume);
        var attachments = resources.attachments().presentBy(Resources.BY_VOLUME, name);
        if (!attachments.isEmpty()) {
            return Optional.of("it is attached to "
                    + attachments.stream()
                            .map(attachment -> attachment.getSpec().vscNodeName())
                            .sorted()
                            .collect(Collectors.joining(", ")));
        }
        var snapshots = resources.snapshots().presentBy(Resources.BY_VOLUME, name).stream()
                .filter(snapshot -> !Import.imported(snapshot))
                .map(snapshot -> snapshot.getMetadata().getName())
                .sorted()
                .toList();
        return snapshots.isEmpty()
                ? Optional.empty()
                : Optional.of("it has snapshots, delete them first: " + String.join(", ", snapshots));
    }

    /** Ends a volume whose resource is marked as deleted; whoever calls holds its lane. */
    public void end(VscVolume marked) {
        String what = "volume " + VolumeKeeper.name(marked);
        var obstacle = obstacle(marked);
        var volume = resources.volumes().status(marked, marked.getStatus().in(State.DELETING, obstacle.orElse(null)));
        obstacle.ifPresent(reason -> {
            throw StowageException.notPossible("%s cannot be deleted: %s", what, reason);
        });
        if (!volume.getStatus().vpsaId().isEmpty()) {
            var member = members.require(volume.getStatus().vpsaId());
            Asking.doing("deletion of " + what, () -> remove(member, volume));
        }
        var swept = abandoned.sweep(volume);
        if (Abandoned.any(swept)) {
            throw StowageException.unavailable(
                    "%s: an array that was asked to make it has not answered yet whether it did", what);
        }
        resources.volumes().release(swept);
    }

    private static void remove(Member member, VscVolume volume) {
        var client = member.client();
        // One that was never finished may be there all the same.
        var id = Optional.of(volume.getStatus().id())
                .filter(known -> !known.isEmpty())
                .or(() -> client.volumeNamed(volume.getSpec().displayName()).map(found -> found.id()));
        if (id.isPresent()) {
            client.deleteVolume(id.get());
            Settling.await(
                    "deletion of volume " + VolumeKeeper.name(volume),
                    () -> Optional.of(client.volume(id.get())),
                    Optional::isEmpty);
            if (Kind.annotation(volume, RECYCLE_BIN).filter(PURGE::equals).isPresent()) {
                client.purgeVolume(id.get());
            }
        }
        member.ended(VolumeKeeper.name(volume), VolumeKeeper.size(volume));
    }
}
