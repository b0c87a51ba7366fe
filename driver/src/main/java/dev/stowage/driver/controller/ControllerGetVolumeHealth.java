package dev.stowage.driver.controller;

import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerGetVolumeHealthResponse;
import dev.stowage.core.backend.Health;
import dev.stowage.core.id.VolumeId;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Responses;
import dev.stowage.driver.message.TextMaps;

final class ControllerGetVolumeHealth
        implements Operation<ControllerGetVolumeHealthRequest, VolumeId, ControllerGetVolumeHealthResponse> {

    private final Health health;

    ControllerGetVolumeHealth(Health health) {
        this.health = health;
    }

    @Override
    public VolumeId parse(ControllerGetVolumeHealthRequest request) {
        var volume = new VolumeId(request.getVolumeId());
        TextMaps.secrets(request.getSecretsMap());
        return volume;
    }

    @Override
    public ControllerGetVolumeHealthResponse perform(VolumeId volume) {
        return ControllerGetVolumeHealthResponse.newBuilder()
                .setVolumeHealth(Responses.health(health.of(volume)))
                .build();
    }
}
