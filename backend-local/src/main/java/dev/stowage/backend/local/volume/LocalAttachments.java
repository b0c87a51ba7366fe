package dev.stowage.backend.local.volume;

import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.record.AttachmentRecord;
import dev.stowage.backend.local.volume.AttachmentRules.Way;
import dev.stowage.core.backend.Attachments;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.VolumeId;
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
        AttachmentRules.requirePossible(wanted, node);
        var way = Way.of(wanted);
        if (volume.getAttachmentsCount() > 0) {
            AttachmentRules.requireSame(wanted.volume(), wayOf(volume.getAttachments(0)), way);
            return AttachmentRules.context(volume.getVariableParametersMap(), way);
        }
        if (attached.incrementAndGet() > mostVolumes && mostVolumes > 0) {
            attached.decrementAndGet();
            throw AttachmentRules.tooMany(node, mostVolumes);
        }
        var attachment = AttachmentRecord.newBuilder()
                .setNode(way.node())
                .setReadOnly(way.readOnly())
                .setBlock(way.block())
                .setMode(way.mode())
                .build();
        records.put(volume.toBuilder().addAttachments(attachment).build());
        return AttachmentRules.context(volume.getVariableParametersMap(), way);
    }

    private static Way wayOf(AttachmentRecord record) {
        return new Way(record.getNode(), record.getMode(), record.getBlock(), record.getReadOnly());
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
