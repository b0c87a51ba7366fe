package dev.stowage.driver.controller;

import csi.v1.ControllerListVolumeHealthRequest;
import csi.v1.ControllerListVolumeHealthResponse;
import dev.stowage.core.backend.Health;
import dev.stowage.core.page.PageRequest;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import dev.stowage.driver.message.Responses;
import dev.stowage.driver.message.TextMaps;

final class ControllerListVolumeHealth
        implements Operation<ControllerListVolumeHealthRequest, PageRequest, ControllerListVolumeHealthResponse> {

    private final Health health;

    ControllerListVolumeHealth(Health health) {
        this.health = health;
    }

    @Override
    public PageRequest parse(ControllerListVolumeHealthRequest request) {
        TextMaps.secrets(request.getSecretsMap());
        return Requests.page(request.getMaxEntries(), request.getStartingToken());
    }

    @Override
    public ControllerListVolumeHealthResponse perform(PageRequest wanted) {
        var page = health.ailing(wanted);
        return ControllerListVolumeHealthResponse.newBuilder()
                .addAllEntries(page.map(Responses::health).entries())
                .setNextToken(page.nextToken())
                .build();
    }
}
