package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.volume.AttachmentRules;
import dev.stowage.backend.local.volume.AttachmentRules.Way;
import dev.stowage.core.backend.Attachments;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.kube.local.LocalVolume;
import dev.stowage.kube.local.LocalVolume.Attachment;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Attachments are on record in the orders and need no node, so that those of a lost node are released without waiting for anyone.
 */
final class CentralAttachments implements Attachments {

    private final Cluster cluster;
    private final CentralVolumes volumes;
    /** Volumes that are being attached and that this process may not see as attached yet; they count as such. */
    private final Set<String> underWay = new HashSet<>();

    CentralAttachments(Cluster cluster, CentralVolumes volumes) {
        this.cluster = cluster;
        this.volumes = volumes;
    }

    @Override
    public Map<String, String> attach(Wanted wanted) {
        var order = volumes.requireNow(wanted.volume());
        while (true) {
            var home = new NodeId(order.getSpec().node());
            AttachmentRules.requirePossible(wanted, home);
            var way = Way.of(wanted);
            if (!order.getSpec().attachments().isEmpty()) {
                AttachmentRules.requireSame(
                        wanted.volume(), way(order.getSpec().attachments().getFirst()), way);
                return AttachmentRules.context(order.getStatus().mutableParameters(), way);
            }
            if (recorded(order, home, way)) {
                return AttachmentRules.context(order.getStatus().mutableParameters(), way);
            }
            order = cluster.volumes()
                    .live(order.getMetadata().getName())
                    .filter(Orders::exists)
                    .orElseThrow(() -> StowageException.notFound("volume %s does not exist", wanted.volume()));
        }
    }

    /** @return whether it is on record now; if not, the order has changed and is to be looked at again */
    private boolean recorded(LocalVolume order, NodeId home, Way way) {
        String name = order.getMetadata().getName();
        reserve(name, home);
        try {
            var attachment = new Attachment(way.node(), way.mode(), way.block(), way.readOnly());
            return changed(order, List.of(attachment));
        } finally {
            release(name);
        }
    }

    private boolean changed(LocalVolume order, List<Attachment> attachments) {
        var changed = cluster.volumes().change(order, order.getSpec().attachedTo(attachments));
        changed.ifPresent(cluster.volumes()::seen);
        return changed.isPresent();
    }

    private synchronized void reserve(String name, NodeId node) {
        long most = cluster.pool(node.value())
                .map(pool -> pool.getStatus().mostVolumes())
                .orElse(0L);
        if (most > 0 && attachedOrAboutTo(node) >= most) {
            throw AttachmentRules.tooMany(node, most);
        }
        underWay.add(name);
    }

    private long attachedOrAboutTo(NodeId node) {
        return cluster.volumes()
                .made()
                .filter(order -> order.getSpec().node().equals(node.value()))
                .filter(order -> !order.getSpec().attachments().isEmpty()
                        || underWay.contains(order.getMetadata().getName()))
                .count();
    }

    private synchronized void release(String name) {
        underWay.remove(name);
    }

    private static Way way(Attachment attachment) {
        return new Way(attachment.node(), attachment.mode(), attachment.block(), attachment.readOnly());
    }

    @Override
    public void detach(VolumeId volume, Optional<NodeId> from) {
        cluster.requireReady();
        var order = cluster.volumes().liveWithId(volume.value());
        while (order.isPresent() && !keeps(order.get(), from) && !changed(order.get(), List.of())) {
            order = cluster.volumes().live(order.get().getMetadata().getName());
        }
    }

    private static boolean keeps(LocalVolume order, Optional<NodeId> from) {
        var attachments = order.getSpec().attachments();
        return attachments.isEmpty()
                || from.filter(node -> !attachments.getFirst().node().equals(node.value()))
                        .isPresent();
    }
}
