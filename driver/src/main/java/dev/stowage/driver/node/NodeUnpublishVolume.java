package dev.stowage.driver.node;

import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnpublishVolumeResponse;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import java.util.List;

final class NodeUnpublishVolume
        implements Operation<NodeUnpublishVolumeRequest, NodeUnpublishVolume.Wanted, NodeUnpublishVolumeResponse> {

    record Wanted(VolumeId volume, TargetPath targetPath) {}

    private final NodeVolumes node;

    NodeUnpublishVolume(NodeVolumes node) {
        this.node = node;
    }

    @Override
    public Wanted parse(NodeUnpublishVolumeRequest request) {
        return new Wanted(new VolumeId(request.getVolumeId()), Requests.path("target_path", request.getTargetPath()));
    }

    @Override
    public List<Wish> lanes(Wanted wanted) {
        return List.of(LaneNames.volume(wanted.volume()));
    }

    @Override
    public NodeUnpublishVolumeResponse perform(Wanted wanted) {
        node.unpublish(wanted.volume(), wanted.targetPath());
        return NodeUnpublishVolumeResponse.getDefaultInstance();
    }
}
