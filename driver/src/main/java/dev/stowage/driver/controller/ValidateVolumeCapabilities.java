package dev.stowage.driver.controller;

import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.ValidateVolumeCapabilitiesResponse;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.id.VolumeId;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.TextMaps;
import dev.stowage.driver.message.VolumeUses;

/** The request itself is kept, because a confirmation repeats it. */
final class ValidateVolumeCapabilities
        implements Operation<
                ValidateVolumeCapabilitiesRequest,
                ValidateVolumeCapabilitiesRequest,
                ValidateVolumeCapabilitiesResponse> {

    private final Volumes volumes;

    ValidateVolumeCapabilities(Volumes volumes) {
        this.volumes = volumes;
    }

    @Override
    public ValidateVolumeCapabilitiesRequest parse(ValidateVolumeCapabilitiesRequest request) {
        TextMaps.secrets(request.getSecretsMap());
        return request;
    }

    @Override
    public ValidateVolumeCapabilitiesResponse perform(ValidateVolumeCapabilitiesRequest request) {
        var objection = volumes.objection(
                new VolumeId(request.getVolumeId()),
                VolumeUses.required(request.getVolumeCapabilitiesList()),
                TextMaps.context("volume_context", request.getVolumeContextMap()),
                TextMaps.parameters("parameters", request.getParametersMap()),
                TextMaps.parameters("mutable_parameters", request.getModifiableParametersMap()));
        var response = ValidateVolumeCapabilitiesResponse.newBuilder();
        objection.ifPresentOrElse(
                response::setMessage,
                () -> response.getConfirmedBuilder()
                        .putAllVolumeContext(request.getVolumeContextMap())
                        .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
                        .putAllParameters(request.getParametersMap())
                        .putAllModifiableParameters(request.getModifiableParametersMap()));
        return response.build();
    }
}
