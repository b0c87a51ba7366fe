package dev.stowage.driver.node;

import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeStageVolumeResponse;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import dev.stowage.driver.message.TextMaps;
import dev.stowage.driver.message.VolumeUses;
import java.util.List;

final class NodeStageVolume implements Operation<NodeStageVolumeRequest, NodeVolumes.Stage, NodeStageVolumeResponse> {

    private final NodeVolumes node;

    NodeStageVolume(NodeVolumes node) {
        this.node = node;
    }

    @Override
    public NodeVolumes.Stage parse(NodeStageVolumeRequest request) {
        var wanted = new NodeVolumes.Stage(
                new VolumeId(request.getVolumeId()),
                Requests.path("staging_target_path", request.getStagingTargetPath()),
                VolumeUses.required(request.hasVolumeCapability(), request.getVolumeCapability()),
                TextMaps.context("publish_context", request.getPublishContextMap()),
                TextMaps.context("volume_context", request.getVolumeContextMap()));
        TextMaps.secrets(request.getSecretsMap());
        return wanted;
    }

    @Override
    public List<Wish> lanes(NodeVolumes.Stage wanted) {
        return List.of(LaneNames.volume(wanted.volume()));
    }

    @Override
    public NodeStageVolumeResponse perform(NodeVolumes.Stage wanted) {
        node.stage(wanted);
        return NodeStageVolumeResponse.getDefaultInstance();
    }
}
