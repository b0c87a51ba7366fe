package dev.stowage.backend.local.volume;

import dev.stowage.backend.local.record.AttachmentRecord;
import dev.stowage.backend.local.record.VolumeRecord;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.Volume;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A volume's record as the outside sees it. */
final class VolumeView {

    private VolumeView() {}

    static Volume of(VolumeRecord record, Topology topology) {
        return new Volume(
                new VolumeId(record.getId()),
                record.getSizeBytes(),
                record.getContextMap(),
                sourceOf(record),
                List.of(topology),
                record.getAttachmentsList().stream()
                        .map(AttachmentRecord::getNode)
                        .map(NodeId::new)
                        .collect(Collectors.toUnmodifiableSet()));
    }

    static VolumeParameters parametersOf(VolumeRecord record) {
        return new VolumeParameters(record.getFixedParametersMap(), record.getVariableParametersMap());
    }

    static Optional<ContentSource> sourceOf(VolumeRecord record) {
        return switch (record.getSourceCase()) {
            case SOURCE_SNAPSHOT ->
                Optional.of(new ContentSource.OfSnapshot(new SnapshotId(record.getSourceSnapshot())));
            case SOURCE_VOLUME -> Optional.of(new ContentSource.OfVolume(new VolumeId(record.getSourceVolume())));
            case SOURCE_NOT_SET -> Optional.empty();
        };
    }
}
