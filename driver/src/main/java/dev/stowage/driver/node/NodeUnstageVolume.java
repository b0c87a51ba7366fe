package dev.stowage.driver.node;

import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.NodeUnstageVolumeResponse;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import java.util.List;

final class NodeUnstageVolume
        implements Operation<NodeUnstageVolumeRequest, NodeUnstageVolume.Wanted, NodeUnstageVolumeResponse> {

    record Wanted(VolumeId volume, TargetPath stagingPath) {}

    private final NodeVolumes node;

    NodeUnstageVolume(NodeVolumes node) {
        this.node = node;
    }

    @Override
    public Wanted parse(NodeUnstageVolumeRequest request) {
        return new Wanted(
                new VolumeId(request.getVolumeId()),
                Requests.path("staging_target_path", request.getStagingTargetPath()));
    }

    @Override
    public List<Wish> lanes(Wanted wanted) {
        return List.of(LaneNames.volume(wanted.volume()));
    }

    @Override
    public NodeUnstageVolumeResponse perform(Wanted wanted) {
        node.unstage(wanted.volume(), wanted.stagingPath());
        return NodeUnstageVolumeResponse.getDefaultInstance();
    }
}
