package dev.stowage.driver.controller;

import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateSnapshotResponse;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Responses;
import dev.stowage.driver.message.TextMaps;
import dev.stowage.driver.message.Topologies;
import java.util.List;

final class CreateSnapshot implements Operation<CreateSnapshotRequest, Snapshots.Wanted, CreateSnapshotResponse> {

    private final Snapshots snapshots;

    CreateSnapshot(Snapshots snapshots) {
        this.snapshots = snapshots;
    }

    @Override
    public Snapshots.Wanted parse(CreateSnapshotRequest request) {
        var source = new VolumeId(request.getSourceVolumeId());
        var name = new RequestName(request.getName());
        TextMaps.secrets(request.getSecretsMap());
        return new Snapshots.Wanted(
                name,
                source,
                TextMaps.parameters("parameters", request.getParametersMap()),
                Topologies.requirement(request.hasAccessibilityRequirements(), request.getAccessibilityRequirements()));
    }

    @Override
    public List<Wish> lanes(Snapshots.Wanted wanted) {
        return List.of(LaneNames.snapshotName(wanted.name()), LaneNames.volume(wanted.source()));
    }

    @Override
    public CreateSnapshotResponse perform(Snapshots.Wanted wanted) {
        return CreateSnapshotResponse.newBuilder()
                .setSnapshot(Responses.snapshot(snapshots.create(wanted)))
                .build();
    }
}
