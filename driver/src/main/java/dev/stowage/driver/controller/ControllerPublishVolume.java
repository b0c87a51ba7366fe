package dev.stowage.driver.controller;

import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerPublishVolumeResponse;
import dev.stowage.core.backend.Attachments;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.TextMaps;
import dev.stowage.driver.message.VolumeUses;
import java.util.List;

final class ControllerPublishVolume
        implements Operation<ControllerPublishVolumeRequest, Attachments.Wanted, ControllerPublishVolumeResponse> {

    private final Attachments attachments;

    ControllerPublishVolume(Attachments attachments) {
        this.attachments = attachments;
    }

    @Override
    public Attachments.Wanted parse(ControllerPublishVolumeRequest request) {
        var wanted = new Attachments.Wanted(
                new VolumeId(request.getVolumeId()),
                new NodeId(request.getNodeId()),
                VolumeUses.required(request.hasVolumeCapability(), request.getVolumeCapability()),
                request.getReadonly(),
                TextMaps.context("volume_context", request.getVolumeContextMap()));
        TextMaps.secrets(request.getSecretsMap());
        return wanted;
    }

    @Override
    public List<Wish> lanes(Attachments.Wanted wanted) {
        return List.of(LaneNames.volume(wanted.volume()));
    }

    @Override
    public ControllerPublishVolumeResponse perform(Attachments.Wanted wanted) {
        return ControllerPublishVolumeResponse.newBuilder()
                .putAllPublishContext(attachments.attach(wanted))
                .build();
    }
}
