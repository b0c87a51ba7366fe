package dev.stowage.backend.local.volume;

import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.record.AttachmentRecord;
import dev.stowage.backend.local.record.VolumeRecord;
import dev.stowage.core.backend.Attachments;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.node.NodeEngine;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Attaching a local volume puts on record that the node may use it, and how. */
public final class LocalAttachments implements Attachments {

    private final PoolRecords records;
    private final NodeId node;
    private final int mostVolumes;
    private final AtomicInteger attached = new AtomicInteger();

    public LocalAttachments(PoolRecords records, NodeId node, int mostVolumes) {
        this.records = records;
        this.node = node;
        this.mostVolumes = mostVolumes;
        records.volumes().values().forEach(record -> attached.addAndGet(record.getAttachmentsCount()));
    }

    @Override
    public Map<String, String> attach(Wanted wanted) {
        var volume = LocalVolumes.require(records, wanted.volume());
        if (!wanted.node().equals(node)) {
            throw StowageException.notFound(
                    "node %s does not serve this pool; volume %s can be published to node %s only",
                    wanted.node(), wanted.volume(), node);
        }
        LocalVolumes.requirePossible(wanted.use());
        var attachment = AttachmentRecord.newBuilder()
                .setNode(wanted.node().value())
                .setReadOnly(wanted.readOnly() || wanted.use().mode().readOnly())
                .setBlock(wanted.use().block())
                .setMode(wanted.use().mode().name())
                .build();
        for (AttachmentRecord existing : volume.getAttachmentsList()) {
            if (!existing.equals(attachment)) {
                throw StowageException.alreadyExists(
                        "volume %s is published to node %s in another way (%s, %s, %s); unpublish it first",
                        wanted.volume(),
                        existing.getNode(),
                        existing.getBlock() ? "block" : "filesystem",
                        existing.getMode(),
                        existing.getReadOnly() ? "read-only" : "read-write");
            }
            return context(volume, attachment);
        }
        if (attached.incrementAndGet() > mostVolumes && mostVolumes > 0) {
            attached.decrementAndGet();
            throw StowageException.exhausted(
                    "node %s has %d volumes attached, the most it may; detach one first", node, mostVolumes);
        }
        records.put(volume.toBuilder().addAttachments(attachment).build());
        return context(volume, attachment);
    }

    private static Map<String, String> context(VolumeRecord volume, AttachmentRecord attachment) {
        var context = new HashMap<>(VolumeParameters.attachmentContext(volume.getVariableParametersMap()));
        if (attachment.getReadOnly()) {
            context.put(NodeEngine.READ_ONLY, "true");
        }
        return context;
    }

    @Override
    public void detach(VolumeId id, Optional<NodeId> from) {
        var volume = records.volumes().get(id);
        if (volume == null || volume.getAttachmentsCount() == 0) {
            return;
        }
        if (from.isPresent()
                && !from.get().value().equals(volume.getAttachments(0).getNode())) {
            return;
        }
        records.put(volume.toBuilder().clearAttachments().build());
        attached.addAndGet(-volume.getAttachmentsCount());
    }
}
