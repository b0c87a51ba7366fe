package dev.stowage.driver.node;

import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodeGetVolumeStatsResponse;
import csi.v1.VolumeUsage;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.id.VolumeId;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import java.util.Optional;

final class NodeGetVolumeStats
        implements Operation<NodeGetVolumeStatsRequest, NodeVolumes.Place, NodeGetVolumeStatsResponse> {

    private final NodeVolumes node;

    NodeGetVolumeStats(NodeVolumes node) {
        this.node = node;
    }

    @Override
    public NodeVolumes.Place parse(NodeGetVolumeStatsRequest request) {
        return new NodeVolumes.Place(
                new VolumeId(request.getVolumeId()),
                Optional.of(Requests.lookedUp("volume_path", request.getVolumePath())),
                Requests.optionalLookedUp(request.getStagingTargetPath()));
    }

    @Override
    public NodeGetVolumeStatsResponse perform(NodeVolumes.Place place) {
        var usage = node.usage(place);
        var response = NodeGetVolumeStatsResponse.newBuilder();
        response.addUsage(message(usage.bytes(), VolumeUsage.Unit.BYTES));
        usage.inodes().ifPresent(inodes -> response.addUsage(message(inodes, VolumeUsage.Unit.INODES)));
        return response.build();
    }

    private static VolumeUsage message(NodeVolumes.Amount amount, VolumeUsage.Unit unit) {
        return VolumeUsage.newBuilder()
                .setUnit(unit)
                .setTotal(amount.total())
                .setUsed(amount.used())
                .setAvailable(amount.available())
                .build();
    }
}
