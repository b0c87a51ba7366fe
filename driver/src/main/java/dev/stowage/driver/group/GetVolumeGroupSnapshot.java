package dev.stowage.driver.group;

import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.GetVolumeGroupSnapshotResponse;
import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Responses;
import dev.stowage.driver.message.TextMaps;

final class GetVolumeGroupSnapshot
        implements Operation<GetVolumeGroupSnapshotRequest, GroupAndMembers, GetVolumeGroupSnapshotResponse> {

    private final GroupSnapshots groups;

    GetVolumeGroupSnapshot(GroupSnapshots groups) {
        this.groups = groups;
    }

    @Override
    public GroupAndMembers parse(GetVolumeGroupSnapshotRequest request) {
        var wanted = GroupAndMembers.parse(request.getGroupSnapshotId(), request.getSnapshotIdsList());
        TextMaps.secrets(request.getSecretsMap());
        return wanted;
    }

    @Override
    public GetVolumeGroupSnapshotResponse perform(GroupAndMembers wanted) {
        return GetVolumeGroupSnapshotResponse.newBuilder()
                .setGroupSnapshot(Responses.group(groups.find(wanted.group(), wanted.members())))
                .build();
    }
}
