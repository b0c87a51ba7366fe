package dev.stowage.driver.node;

import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodePublishVolumeResponse;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import dev.stowage.driver.message.TextMaps;
import dev.stowage.driver.message.VolumeUses;
import java.util.List;

final class NodePublishVolume
        implements Operation<NodePublishVolumeRequest, NodeVolumes.Publish, NodePublishVolumeResponse> {

    /** The kubelet says so for a volume that lives and dies with its pod, which is never staged. */
    private static final String EPHEMERAL = "csi.storage.k8s.io/ephemeral";

    private final NodeVolumes node;

    NodePublishVolume(NodeVolumes node) {
        this.node = node;
    }

    @Override
    public NodeVolumes.Publish parse(NodePublishVolumeRequest request) {
        var wanted = new NodeVolumes.Publish(
                new VolumeId(request.getVolumeId()),
                Requests.optionalPath(request.getStagingTargetPath()),
                Requests.path("target_path", request.getTargetPath()),
                VolumeUses.required(request.hasVolumeCapability(), request.getVolumeCapability()),
                request.getReadonly(),
                TextMaps.context("publish_context", request.getPublishContextMap()),
                TextMaps.context("volume_context", request.getVolumeContextMap()));
        TextMaps.secrets(request.getSecretsMap());
        if (wanted.stagingPath().isEmpty()
                && !"true".equals(wanted.volumeContext().get(EPHEMERAL))) {
            throw StowageException.notPossible(
                    "volume %s: staging_target_path is missing; stage the volume first and name the path here",
                    wanted.volume());
        }
        return wanted;
    }

    @Override
    public List<Wish> lanes(NodeVolumes.Publish wanted) {
        return List.of(LaneNames.volume(wanted.volume()));
    }

    @Override
    public NodePublishVolumeResponse perform(NodeVolumes.Publish wanted) {
        node.publish(wanted);
        return NodePublishVolumeResponse.getDefaultInstance();
    }
}
