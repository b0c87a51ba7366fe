package dev.stowage.driver.group;

import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.driver.message.Requests;
import java.util.List;

/**
 * A group snapshot as a caller names it.
 *
 * @param members may be empty: the storage knows whether the group is gone, which comes first, or the list is wrong
 */
record GroupAndMembers(GroupSnapshotId group, List<SnapshotId> members) {

    static GroupAndMembers parse(String group, List<String> members) {
        return new GroupAndMembers(new GroupSnapshotId(group), Requests.snapshots(members));
    }
}
