package dev.stowage.backend.vsc.central.attachment;

import dev.stowage.arrayapi.ArrayUnit;
import dev.stowage.backend.vsc.central.member.Members;
import dev.stowage.backend.vsc.central.resource.Kind;
import dev.stowage.backend.vsc.central.resource.Names;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.backend.vsc.central.volume.ExternalVolumes;
import dev.stowage.backend.vsc.central.volume.VolumeKeeper;
import dev.stowage.backend.vsc.central.volume.VscVolumes;
import dev.stowage.backend.vsc.secret.NodePublicKey;
import dev.stowage.backend.vsc.secret.Sealing;
import dev.stowage.backend.vsc.secret.Secret;
import dev.stowage.core.backend.Attachments;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.Lanes;
import dev.stowage.kube.vsc.VolumeType;
import dev.stowage.kube.vsc.VscNode;
import dev.stowage.kube.vsc.VscResources;
import dev.stowage.kube.vsc.VscVolume;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Volumes on arrays become reachable for nodes, as CSI asks for it. */
public final class VscAttachments implements Attachments {

    /** Which attachment this is: the node tells by it whether what it still has staged is from another one. */
    private static final String ATTACHMENT = "attachment";

    /** Tells a node that it may only read, whatever else it is asked for. */
    private static final String READ_ONLY = "readOnly";

    private final Resources resources;
    private final Members members;
    private final AttachmentKeeper keeper;
    private final ExternalVolumes externalVolumes;
    private final Lanes lanes;

    public VscAttachments(Resources resources, Members members, AttachmentKeeper keeper, Lanes lanes) {
        this.resources = resources;
        this.members = members;
        this.keeper = keeper;
        this.externalVolumes = new ExternalVolumes(resources);
        this.lanes = lanes;
    }

    @Override
    public Map<String, String> attach(Wanted wanted) {
        resources.requireReady();
        try (var _ = lanes.enter(
                "ControllerPublishVolume", VscVolumes.lane(wanted.volume().value()))) {
            var volume = volume(wanted.volume());
            var node = node(wanted.node());
            requireUsable(volume, wanted);
            requireFree(volume, wanted);
            var attachment = record(volume, wanted);
            var reachable = keeper.attach(attachment, volume, node);
            return context(volume, node, reachable);
        }
    }

    private VscVolume volume(VolumeId id) {
        var volume = resources
                .volumes()
                .find(id.value())
                // The step from an external volume may have been interrupted in its middle.
                .filter(found -> found.getStatus().state() != null)
                .or(() -> externalVolumes.takeOver(id.value()))
                .filter(found -> !Kind.ending(found))
                .orElseThrow(() -> StowageException.notFound("volume %s does not exist", id));
        if (volume.getStatus().state() != VscVolume.State.READY) {
            throw StowageException.notPossible(
                    "volume %s is not Ready (%s); see its resource", id, VolumeKeeper.state(volume));
        }
        return volume;
    }

    private VscNode node(NodeId id) {
        return resources
                .nodes()
                .find(id.value())
                .orElseThrow(() -> StowageException.notFound(
                        "node %s has no VSCNode, which the driver makes on each node; does it run there?", id));
    }

    private static void requireUsable(VscVolume volume, Wanted wanted) {
        if (volume.getSpec().volumeType() == VolumeType.NAS && wanted.use().block()) {
            throw StowageException.invalid("volume %s is a NAS volume, which has no device", wanted.volume());
        }
    }

    /** Never two writers: a volume of one node goes to another when the array has shut out the first. */
    private void requireFree(VscVolume volume, Wanted wanted) {
        var others = resources
                .attachments()
                .presentBy(Resources.BY_VOLUME, volume.getMetadata().getName())
                .stream()
                .filter(other ->
                        !other.getSpec().vscNodeName().equals(wanted.node().value()))
                .filter(other -> !Fencing.isFenced(other))
                .toList();
        if (others.isEmpty()) {
            return;
        }
        var first = others.getFirst();
        if (!wanted.use().mode().severalNodes()) {
            throw StowageException.notPossible(
                    "volume %s is attached to node %s (%s); it can be attached to %s when it is detached there",
                    wanted.volume(), first.getSpec().vscNodeName(), AttachmentKeeper.name(first), wanted.node());
        }
    }

    private VscVolumeAttachment record(VscVolume volume, Wanted wanted) {
        String name =
                Names.attachment(volume.getMetadata().getName(), wanted.node().value());
        boolean readOnly = wanted.readOnly() || wanted.use().mode().readOnly();
        var wish = new VscVolumeAttachment();
        wish.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withFinalizers(VscResources.FINALIZER)
                .build());
        wish.setSpec(new VscVolumeAttachment.Spec(
                volume.getMetadata().getName(), wanted.node().value(), AttachmentKeeper.type(volume), readOnly));
        // A node that was shut out may have missed what another wrote meanwhile. So this is not the same attachment any
        // more.
        resources.attachments().find(name).filter(Fencing::isFenced).ifPresent(keeper::detachAtOnce);
        var attachment = resources
                .attachments()
                .told(name)
                .flatMap(told -> resources.attachments().find(name))
                .orElseGet(() -> resources.attachments().createAndSee(wish));
        if (Kind.ending(attachment)) {
            throw StowageException.unavailable("attachment %s is being removed; repeat the call when it is gone", name);
        }
        if (attachment.getSpec().readOnly() != readOnly) {
            throw StowageException.alreadyExists(
                    "volume %s is attached to %s already, %s",
                    wanted.volume(), wanted.node(), readOnly ? "for writing" : "read-only");
        }
        return attachment;
    }

    private Map<String, String> context(VscVolume volume, VscNode node, AttachmentKeeper.Reachable reachable) {
        var context = new HashMap<String, String>();
        context.put(ATTACHMENT, reachable.attachment().getMetadata().getUid());
        if (reachable.attachment().getSpec().readOnly()) {
            context.put(READ_ONLY, "true");
        }
        if (volume.getSpec().volumeType() == VolumeType.NAS) {
            context.put("protocol", "nfs");
            context.put("export", export(volume));
        } else {
            addUnit(context, volume, node, reachable.unit().orElseThrow());
        }
        return context;
    }

    private static String export(VscVolume volume) {
        return Optional.ofNullable(volume.getStatus().nas())
                .map(VscVolume.Nas::nfsExportPath)
                .filter(path -> !path.isBlank())
                .orElseThrow(() -> StowageException.notPossible(
                        "volume %s: its array %s does not say where it exports it; does it serve files?",
                        volume.getMetadata().getName(), volume.getStatus().vpsaId()));
    }

    private void addUnit(Map<String, String> context, VscVolume volume, VscNode node, ArrayUnit unit) {
        String name = volume.getMetadata().getName();
        String nodeName = node.getMetadata().getName();
        var controller = members.require(volume.getStatus().vpsaId()).known().controller();
        var key = Kind.annotation(node, VscResources.NODE_KEY)
                .orElseThrow(() -> StowageException.notPossible(
                        "VSCNode %s has no key to which secrets could be sealed; is the driver on this node the one of this"
                                + " version?",
                        nodeName));
        context.put("protocol", "iscsi");
        context.put("target", unit.target());
        context.put("lun", String.valueOf(unit.lun()));
        context.put("portals", String.join(",", controller.portals()));
        unit.serial().ifPresent(serial -> context.put("serial", serial));
        var to = NodePublicKey.parse(nodeName, key);
        context.put("chapUser", controller.chapUser());
        context.put("sealedChap", Sealing.seal(new Secret(controller.chapSecret()), to, nodeName, name));
        unit.proof().ifPresent(proof -> {
            context.put("targetChapUser", proof.user());
            context.put(
                    "sealedTargetChap", Sealing.seal(new Secret(proof.secret()), to, nodeName, Sealing.ofTarget(name)));
        });
    }

    @Override
    public void detach(VolumeId volume, Optional<NodeId> node) {
        resources.requireReady();
        try (var _ = lanes.enter("ControllerUnpublishVolume", VscVolumes.lane(volume.value()))) {
            if (node.isPresent()) {
                resources
                        .attachments()
                        .find(Names.attachment(volume.value(), node.get().value()))
                        .ifPresent(keeper::detachAtOnce);
            } else {
                resources.attachments().by(Resources.BY_VOLUME, volume.value()).forEach(keeper::detachAtOnce);
            }
        }
    }
}
