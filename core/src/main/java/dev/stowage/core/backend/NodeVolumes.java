package dev.stowage.core.backend;

import dev.stowage.core.health.StorageIssue;
import dev.stowage.core.health.VolumeHealth;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.VolumeUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a node does with a volume that was attached to it. */
public interface NodeVolumes {

    /** @param mostVolumes how many volumes the node takes, zero when there is no limit */
    record NodeInfo(NodeId id, long mostVolumes, Optional<Topology> topology) {}

    record Stage(
            VolumeId volume,
            TargetPath stagingPath,
            VolumeUse use,
            Map<String, String> publishContext,
            Map<String, String> volumeContext) {
        public Stage {
            publishContext = Map.copyOf(publishContext);
            volumeContext = Map.copyOf(volumeContext);
        }
    }

    record Publish(
            VolumeId volume,
            Optional<TargetPath> stagingPath,
            TargetPath targetPath,
            VolumeUse use,
            boolean readOnly,
            Map<String, String> publishContext,
            Map<String, String> volumeContext) {
        public Publish {
            publishContext = Map.copyOf(publishContext);
            volumeContext = Map.copyOf(volumeContext);
        }
    }

    /** Where a volume is looked at: a path it is published or staged at. */
    record Place(VolumeId volume, Optional<TargetPath> volumePath, Optional<TargetPath> stagingPath) {}

    /** Used and available amounts; inodes are empty for a raw device. */
    record Usage(Amount bytes, Optional<Amount> inodes) {}

    record Amount(long total, long used, long available) {}

    NodeInfo info();

    void stage(Stage stage);

    void unstage(VolumeId volume, TargetPath stagingPath);

    void publish(Publish publish);

    void unpublish(VolumeId volume, TargetPath targetPath);

    Usage usage(Place place);

    /**
     * Makes the node see the size that the volume has, and its filesystem fill it.
     *
     * @return the size in bytes
     */
    long expand(Place place, SizeRange size, Optional<VolumeUse> use);

    VolumeHealth health(Place place);

    List<StorageIssue> storageHealth();
}
