package dev.stowage.driver.group;

import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotResponse;
import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.TextMaps;
import java.util.ArrayList;
import java.util.List;

final class DeleteVolumeGroupSnapshot
        implements Operation<DeleteVolumeGroupSnapshotRequest, GroupAndMembers, DeleteVolumeGroupSnapshotResponse> {

    private final GroupSnapshots groups;

    DeleteVolumeGroupSnapshot(GroupSnapshots groups) {
        this.groups = groups;
    }

    @Override
    public GroupAndMembers parse(DeleteVolumeGroupSnapshotRequest request) {
        var wanted = GroupAndMembers.parse(request.getGroupSnapshotId(), request.getSnapshotIdsList());
        TextMaps.secrets(request.getSecretsMap());
        return wanted;
    }

    @Override
    public List<Wish> lanes(GroupAndMembers wanted) {
        var lanes = new ArrayList<Wish>();
        lanes.add(LaneNames.group(wanted.group()));
        wanted.members().forEach(snapshot -> lanes.add(LaneNames.snapshot(snapshot)));
        return lanes;
    }

    @Override
    public DeleteVolumeGroupSnapshotResponse perform(GroupAndMembers wanted) {
        groups.delete(wanted.group(), wanted.members());
        return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
    }
}
