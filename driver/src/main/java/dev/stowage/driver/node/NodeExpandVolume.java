package dev.stowage.driver.node;

import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeExpandVolumeResponse;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import dev.stowage.driver.message.TextMaps;
import dev.stowage.driver.message.VolumeUses;
import java.util.List;
import java.util.Optional;

final class NodeExpandVolume
        implements Operation<NodeExpandVolumeRequest, NodeExpandVolume.Wanted, NodeExpandVolumeResponse> {

    record Wanted(NodeVolumes.Place place, SizeRange size, Optional<VolumeUse> use) {}

    private final NodeVolumes node;

    NodeExpandVolume(NodeVolumes node) {
        this.node = node;
    }

    @Override
    public Wanted parse(NodeExpandVolumeRequest request) {
        var place = new NodeVolumes.Place(
                new VolumeId(request.getVolumeId()),
                Optional.of(Requests.lookedUp("volume_path", request.getVolumePath())),
                Requests.optionalLookedUp(request.getStagingTargetPath()));
        TextMaps.secrets(request.getSecretsMap());
        return new Wanted(
                place,
                Requests.size(request.hasCapacityRange(), request.getCapacityRange()),
                VolumeUses.optional(request.hasVolumeCapability(), request.getVolumeCapability()));
    }

    @Override
    public List<Wish> lanes(Wanted wanted) {
        return List.of(LaneNames.volume(wanted.place().volume()));
    }

    @Override
    public NodeExpandVolumeResponse perform(Wanted wanted) {
        return NodeExpandVolumeResponse.newBuilder()
                .setCapacityBytes(node.expand(wanted.place(), wanted.size(), wanted.use()))
                .build();
    }
}
