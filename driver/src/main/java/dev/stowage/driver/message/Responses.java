package dev.stowage.driver.message;

import com.google.protobuf.Timestamp;
import csi.v1.VolumeContentSource;
import csi.v1.VolumeGroupSnapshot;
import csi.v1.VolumeHealth.VolumeHealthEntry;
import csi.v1.VolumeHealthErrorType;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.VolumeHealth;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.core.volume.GroupSnapshot;
import dev.stowage.core.volume.Snapshot;
import dev.stowage.core.volume.Volume;
import java.time.Instant;
import java.util.List;

/** The model written as parts of responses. */
public final class Responses {

    private Responses() {}

    public static csi.v1.Volume volume(Volume volume) {
        var message = csi.v1.Volume.newBuilder()
                .setVolumeId(volume.id().value())
                .setCapacityBytes(volume.sizeBytes())
                .putAllVolumeContext(volume.context())
                .addAllAccessibleTopology(Topologies.messages(volume.topology()));
        volume.source().map(Responses::source).ifPresent(message::setContentSource);
        return message.build();
    }

    private static VolumeContentSource source(ContentSource source) {
        var message = VolumeContentSource.newBuilder();
        switch (source) {
            case ContentSource.OfSnapshot(var snapshot) ->
                message.getSnapshotBuilder().setSnapshotId(snapshot.value());
            case ContentSource.OfVolume(var volume) ->
                message.getVolumeBuilder().setVolumeId(volume.value());
        }
        return message.build();
    }

    /** The nodes in a stable order, so that equal answers look equal. */
    public static List<String> publishedTo(Volume volume) {
        return volume.publishedTo().stream().sorted().map(NodeId::value).toList();
    }

    public static csi.v1.Snapshot snapshot(Snapshot snapshot) {
        var message = csi.v1.Snapshot.newBuilder()
                .setSnapshotId(snapshot.id().value())
                .setSourceVolumeId(snapshot.source().value())
                .setSizeBytes(snapshot.sizeBytes())
                .setCreationTime(time(snapshot.takenAt()))
                .setReadyToUse(snapshot.ready())
                .addAllAccessibleTopology(Topologies.messages(snapshot.topology()));
        snapshot.group().ifPresent(group -> message.setGroupSnapshotId(group.value()));
        return message.build();
    }

    public static VolumeGroupSnapshot group(GroupSnapshot group) {
        return VolumeGroupSnapshot.newBuilder()
                .setGroupSnapshotId(group.id().value())
                .addAllSnapshots(
                        group.members().stream().map(Responses::snapshot).toList())
                .setCreationTime(time(group.takenAt()))
                .setReadyToUse(group.ready())
                .build();
    }

    public static csi.v1.VolumeHealth health(VolumeHealth health) {
        return csi.v1.VolumeHealth.newBuilder()
                .setVolumeId(health.volume().value())
                .addAllHealthStatuses(
                        health.issues().stream().map(Responses::issue).toList())
                .build();
    }

    private static VolumeHealthEntry issue(HealthIssue issue) {
        return VolumeHealthEntry.newBuilder()
                .setStatus(
                        switch (issue.status()) {
                            case DEGRADED -> VolumeHealthErrorType.DEGRADED;
                            case INACCESSIBLE -> VolumeHealthErrorType.INACCESSIBLE;
                            case DATA_LOSS -> VolumeHealthErrorType.DATA_LOSS;
                        })
                .setReason(issue.reason())
                .setMessage(issue.message())
                .build();
    }

    private static Timestamp time(Instant instant) {
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }
}
