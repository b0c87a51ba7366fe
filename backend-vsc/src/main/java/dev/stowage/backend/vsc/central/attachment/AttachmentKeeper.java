package dev.stowage.backend.vsc.central.attachment;

import dev.stowage.arrayapi.ArrayException.Refused;
import dev.stowage.arrayapi.ArrayStatus;
import dev.stowage.arrayapi.ArrayUnit;
import dev.stowage.backend.vsc.central.member.Asking;
import dev.stowage.backend.vsc.central.member.Member;
import dev.stowage.backend.vsc.central.member.Members;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.lane.Lanes;
import dev.stowage.kube.vsc.VolumeType;
import dev.stowage.kube.vsc.VscNode;
import dev.stowage.kube.vsc.VscVolume;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import dev.stowage.kube.vsc.VscVolumeAttachment.AttachType;
import dev.stowage.kube.vsc.VscVolumeAttachment.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Makes a volume reachable for a node on its array, and unreachable. Whoever calls holds the volume's lane. */
public final class AttachmentKeeper {

    private final Resources resources;
    private final Members members;
    /** Pods that start on one node at once wait for each other here, each for a few calls to the array. */
    private final Lanes lanes = new Lanes(Duration.ofSeconds(30));

    private final ServerRecords servers = new ServerRecords();

    public AttachmentKeeper(Resources resources, Members members) {
        this.resources = resources;
        this.members = members;
    }

    /** A volume as its node reaches it. */
    record Reachable(VscVolumeAttachment attachment, Optional<ArrayUnit> unit) {}

    Reachable attach(VscVolumeAttachment wanted, VscVolume volume, VscNode node) {
        var member = members.require(volume.getStatus().vpsaId());
        String what = "attachment " + name(wanted);
        try (var _ = lanes.enter(what, lane(member.name(), node.getMetadata().getName()))) {
            var attaching = Asking.about(what, () -> {
                String server = servers.ensure(member, node);
                var status = new VscVolumeAttachment.Status(State.ATTACHING, server, null, null, null);
                return wanted.getStatus().equals(status) || reached(wanted)
                        ? wanted
                        : resources.attachments().status(wanted, status);
            });
            var unit = Asking.about(what, () -> attachOn(member, attaching, volume));
            return new Reachable(reached(attaching, unit), unit);
        }
    }

    /** Tells the array what the node says of itself now. */
    void correct(Member member, VscNode node) {
        String what = "server record of " + node.getMetadata().getName();
        try (var _ = lanes.enter(what, lane(member.name(), node.getMetadata().getName()))) {
            var _ = Asking.about(what, () -> servers.ensure(member, node));
        }
    }

    private Optional<ArrayUnit> attachOn(Member member, VscVolumeAttachment attachment, VscVolume volume) {
        String server = String.valueOf(attachment.getStatus().vpsaServerId());
        boolean nfs = attachment.getSpec().attachType() == AttachType.NFS;
        String id = volume.getStatus().id();
        member.client()
                .attach(server, id, attachment.getSpec().readOnly(), nfs ? Optional.of("NFS") : Optional.empty());
        var unit = member.client().units(id).stream()
                .filter(each -> each.server().equals(server))
                .findFirst();
        if (unit.filter(ArrayUnit::complete)
                .filter(each -> nfs || each.lun() >= 0)
                .isEmpty()) {
            throw StowageException.unavailable(
                    "attachment %s: array %s is still working on it; repeat the call", name(attachment), member.name());
        }
        return unit;
    }

    private VscVolumeAttachment reached(VscVolumeAttachment attachment, Optional<ArrayUnit> unit) {
        boolean nfs = attachment.getSpec().attachType() == AttachType.NFS;
        var before = attachment.getStatus();
        var block = nfs
                ? VscVolumeAttachment.Block.OF_NAS
                : unit.map(each -> new VscVolumeAttachment.Block(
                                each.target(),
                                each.lun(),
                                before.block() == null || before.block().lun() != each.lun()
                                        ? VscVolumeAttachment.Block.DISCONNECTED
                                        : before.block().iscsiStatus()))
                        .orElseThrow();
        boolean loggedIn = before.state() == State.READY && block.equals(before.block());
        var now = new VscVolumeAttachment.Status(
                nfs || loggedIn ? State.READY : State.ISCSI_LOGIN_PENDING,
                before.vpsaServerId(),
                block,
                nfs ? new VscVolumeAttachment.Nas() : null,
                null);
        return before.equals(now) ? attachment : resources.attachments().status(attachment, now);
    }

    private static boolean reached(VscVolumeAttachment attachment) {
        var state = attachment.getStatus().state();
        return state == State.READY || state == State.ISCSI_LOGIN_PENDING;
    }

    /**
     * Takes the volume away from the node, and the node's record from the array if nothing else needs it. When this returns, nothing
     * that the node sent or will send reaches the volume.
     */
    void detachAtOnce(VscVolumeAttachment attachment) {
        detach(attachment, true);
    }

    /** Takes the volume away unless the node still uses it. */
    public void detachIfUnused(VscVolumeAttachment attachment) {
        detach(attachment, false);
    }

    /** @param evenIfUsed whether a node that still uses it is shut out */
    private void detach(VscVolumeAttachment attachment, boolean evenIfUsed) {
        String what = "detachment " + name(attachment);
        var volume = resources.volumes().find(attachment.getSpec().volumeName());
        var array = volume.map(each -> each.getStatus().vpsaId()).filter(each -> !each.isEmpty());
        var server = Optional.ofNullable(attachment.getStatus().vpsaServerId());
        if (array.isPresent() && server.isPresent()) {
            var member = members.require(array.get());
            String node = attachment.getSpec().vscNodeName();
            try (var _ = lanes.enter(what, lane(member.name(), node))) {
                var detaching = resources
                        .attachments()
                        .status(attachment, attachment.getStatus().in(State.DETACHING, null));
                Asking.doing(what, () -> cutOff(member, volume.get().getStatus().id(), server.get(), evenIfUsed));
                var deleting = resources
                        .attachments()
                        .status(detaching, detaching.getStatus().in(State.DELETING, null));
                Asking.doing(what, () -> removeUnused(member, deleting, server.get()));
                end(deleting);
            }
        } else {
            end(attachment);
        }
    }

    /** A node that still uses it does not keep it: whoever detaches may give it to another next. */
    private static void cutOff(Member member, String volume, String server, boolean evenIfUsed) {
        try {
            member.client().detach(volume, server, false);
        } catch (Refused refused) {
            if (refused.status() != ArrayStatus.IN_USE || !evenIfUsed) {
                throw refused;
            }
            member.client().detach(volume, server, true);
        }
        if (member.client().units(volume).stream()
                .anyMatch(unit -> unit.server().equals(server))) {
            throw StowageException.unavailable(
                    "array %s still has %s attached to %s; it is tried again", member.name(), volume, server);
        }
    }

    /** Ends the node's open connections to the volume at once. */
    void fence(VscVolumeAttachment attachment, VscVolume volume) {
        var member = members.require(volume.getStatus().vpsaId());
        String server = attachment.getStatus().vpsaServerId();
        if (server != null) {
            Asking.doing("fencing of " + name(attachment), () -> {
                member.client().detach(volume.getStatus().id(), server, true);
                if (member.client().units(volume.getStatus().id()).stream()
                        .anyMatch(unit -> unit.server().equals(server))) {
                    throw StowageException.unavailable(
                            "array %s still has %s attached to %s",
                            member.name(), volume.getStatus().id(), server);
                }
            });
        }
    }

    private void removeUnused(Member member, VscVolumeAttachment attachment, String server) {
        boolean shared = resources
                .attachments()
                .by(Resources.BY_NODE, attachment.getSpec().vscNodeName())
                .stream()
                .filter(other -> !other.getMetadata().getName().equals(name(attachment)))
                .anyMatch(other -> server.equals(other.getStatus().vpsaServerId()));
        if (shared) {
            return;
        }
        servers.forget(member.name(), attachment.getSpec().vscNodeName());
        try {
            member.client().deleteServer(server);
        } catch (Refused refused) {
            // Somebody else gave it volumes that we do not know of.
            if (refused.status() != ArrayStatus.IN_USE) {
                throw refused;
            }
        }
    }

    private void end(VscVolumeAttachment attachment) {
        resources.attachments().delete(attachment);
        resources.attachments().release(attachment);
    }

    static AttachType type(VscVolume volume) {
        return volume.getSpec().volumeType() == VolumeType.NAS ? AttachType.NFS : AttachType.ISCSI;
    }

    /** Records of nodes on arrays are shared by volumes, so that one is not taken away while another begins to need it. */
    private static List<Lanes.Wish> lane(String array, String node) {
        return List.of(Lanes.Wish.exclusive("server record", array + "/" + node));
    }

    static String name(VscVolumeAttachment attachment) {
        return attachment.getMetadata().getName();
    }
}
