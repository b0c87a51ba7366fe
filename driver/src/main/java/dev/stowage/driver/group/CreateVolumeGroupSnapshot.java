package dev.stowage.driver.group;

import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotResponse;
import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import dev.stowage.driver.message.Responses;
import dev.stowage.driver.message.TextMaps;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

final class CreateVolumeGroupSnapshot
        implements Operation<
                CreateVolumeGroupSnapshotRequest, GroupSnapshots.Wanted, CreateVolumeGroupSnapshotResponse> {

    private final GroupSnapshots groups;

    CreateVolumeGroupSnapshot(GroupSnapshots groups) {
        this.groups = groups;
    }

    @Override
    public GroupSnapshots.Wanted parse(CreateVolumeGroupSnapshotRequest request) {
        var name = new RequestName(request.getName());
        if (request.getSourceVolumeIdsList().isEmpty()) {
            throw StowageException.invalid("source_volume_ids is missing");
        }
        var sources = Requests.volumes(request.getSourceVolumeIdsList());
        if (new HashSet<>(sources).size() != sources.size()) {
            throw StowageException.invalid("source_volume_ids names a volume twice");
        }
        TextMaps.secrets(request.getSecretsMap());
        return new GroupSnapshots.Wanted(name, sources, TextMaps.parameters("parameters", request.getParametersMap()));
    }

    @Override
    public List<Wish> lanes(GroupSnapshots.Wanted wanted) {
        var lanes = new ArrayList<Wish>();
        lanes.add(LaneNames.groupName(wanted.name()));
        wanted.sources().forEach(volume -> lanes.add(LaneNames.volume(volume)));
        return lanes;
    }

    @Override
    public CreateVolumeGroupSnapshotResponse perform(GroupSnapshots.Wanted wanted) {
        return CreateVolumeGroupSnapshotResponse.newBuilder()
                .setGroupSnapshot(Responses.group(groups.create(wanted)))
                .build();
    }
}
