package dev.stowage.driver.controller;

import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeResponse;
import dev.stowage.core.backend.Attachments;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.TextMaps;
import java.util.List;
import java.util.Optional;

final class ControllerUnpublishVolume
        implements Operation<
                ControllerUnpublishVolumeRequest, ControllerUnpublishVolume.Wanted, ControllerUnpublishVolumeResponse> {

    /** No node means every node. */
    record Wanted(VolumeId volume, Optional<NodeId> node) {}

    private final Attachments attachments;

    ControllerUnpublishVolume(Attachments attachments) {
        this.attachments = attachments;
    }

    @Override
    public Wanted parse(ControllerUnpublishVolumeRequest request) {
        var wanted = new Wanted(
                new VolumeId(request.getVolumeId()),
                request.getNodeId().isEmpty() ? Optional.empty() : Optional.of(new NodeId(request.getNodeId())));
        TextMaps.secrets(request.getSecretsMap());
        return wanted;
    }

    @Override
    public List<Wish> lanes(Wanted wanted) {
        return List.of(LaneNames.volume(wanted.volume()));
    }

    @Override
    public ControllerUnpublishVolumeResponse perform(Wanted wanted) {
        attachments.detach(wanted.volume(), wanted.node());
        return ControllerUnpublishVolumeResponse.getDefaultInstance();
    }
}
