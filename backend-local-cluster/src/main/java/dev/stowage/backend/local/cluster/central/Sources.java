package dev.stowage.backend.local.cluster.central;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.kube.local.LocalVolume;

/** Where the things are that others are made from. */
final class Sources {

    private final Cluster cluster;

    Sources(Cluster cluster) {
        this.cluster = cluster;
    }

    String node(ContentSource source) {
        return switch (source) {
            case ContentSource.OfVolume(var volume) -> volume(volume).getSpec().node();
            case ContentSource.OfSnapshot(var snapshot) -> snapshot(snapshot);
        };
    }

    LocalVolume volume(VolumeId volume) {
        return cluster.volumes()
                .withId(volume.value())
                .filter(Orders::exists)
                .orElseThrow(() -> StowageException.notFound("volume %s does not exist", volume));
    }

    /** A snapshot has an order of its own, or came with that of a group. */
    private String snapshot(SnapshotId snapshot) {
        return cluster.snapshots()
                .withId(snapshot.value())
                .filter(Orders::exists)
                .map(order -> order.getSpec().node())
                .or(() -> cluster.groups().by(Cluster.BY_MEMBER, snapshot.value()).stream()
                        .filter(Orders::exists)
                        .map(order -> order.getSpec().node())
                        .findFirst())
                .orElseThrow(() -> StowageException.notFound("snapshot %s does not exist", snapshot));
    }
}
