package dev.stowage.conformance.rpc;

import static dev.stowage.conformance.rpc.Answer.codeOf;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.Snapshot;
import csi.v1.VolumeGroupSnapshot;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status.Code;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupsTest {

    private static final long SIZE = 64 * Claim.MIB;

    @Test
    void aGroupIsMadeFoundAndDeletedAsAWhole() {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start()) {
            var csi = driver.csi();
            var mounted = Claim.create(csi, workspace, "mounted", SIZE, CsiClient.mounted("ext4"));
            var idle = Claim.create(csi, workspace, "idle", SIZE, CsiClient.block());
            mounted.use("pod");

            var group = create(csi, "group", mounted.id(), idle.id());
            assertThat(group.getReadyToUse()).isTrue();
            assertThat(group.getSnapshotsList())
                    .extracting(Snapshot::getSourceVolumeId)
                    .containsExactlyInAnyOrder(mounted.id(), idle.id());
            assertThat(group.getSnapshotsList()).allSatisfy(member -> {
                assertThat(member.getGroupSnapshotId()).isEqualTo(group.getGroupSnapshotId());
                assertThat(member.getCreationTime()).isEqualTo(group.getCreationTime());
                assertThat(member.getReadyToUse()).isTrue();
            });

            // The same wish, whatever the order of its volumes; another wish under the same name.
            assertThat(create(csi, "group", mounted.id(), idle.id())).isEqualTo(group);
            assertThat(create(csi, "group", idle.id(), mounted.id())).isEqualTo(group);
            assertThat(codeOf(() -> create(csi, "group", mounted.id()))).isEqualTo(Code.ALREADY_EXISTS);

            List<String> members = members(group);
            assertThat(get(csi, group.getGroupSnapshotId(), members)).isEqualTo(group);
            assertThat(get(csi, group.getGroupSnapshotId(), members.reversed())).isEqualTo(group);
            assertThat(codeOf(() -> get(csi, group.getGroupSnapshotId(), members.subList(0, 1))))
                    .isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(codeOf(() -> delete(csi, group.getGroupSnapshotId(), members.subList(0, 1))))
                    .isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(codeOf(() -> csi.controller()
                            .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                                    .setSnapshotId(members.getFirst())
                                    .build())))
                    .isEqualTo(Code.INVALID_ARGUMENT);

            for (int repeat = 0; repeat < 3; repeat++) {
                delete(csi, group.getGroupSnapshotId(), members);
            }
            assertThat(codeOf(() -> get(csi, group.getGroupSnapshotId(), members)))
                    .isEqualTo(Code.NOT_FOUND);
            assertThat(csi.controller()
                            .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                            .getEntriesList())
                    .isEmpty();
            mounted.release("pod");
            Scene.clear(csi);
        }
    }

    @Test
    void aGroupThatCouldNotBeOfOneInstantIsRefused() {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start()) {
            var csi = driver.csi();
            var raw = Claim.create(csi, workspace, "raw", SIZE, CsiClient.block());
            var idle = Claim.create(csi, workspace, "idle", SIZE, CsiClient.block());
            raw.use("pod");
            assertThat(codeOf(() -> create(csi, "group", raw.id(), idle.id()))).isEqualTo(Code.FAILED_PRECONDITION);
            assertThat(codeOf(() -> create(csi, "group", idle.id(), "vol-unknown")))
                    .isEqualTo(Code.NOT_FOUND);
            assertThat(codeOf(() -> create(csi, "group", idle.id(), idle.id()))).isEqualTo(Code.INVALID_ARGUMENT);
            raw.release("pod");
            assertThat(create(csi, "group", raw.id(), idle.id()).getSnapshotsCount())
                    .isEqualTo(2);
            Scene.clear(csi);
        }
    }

    @Test
    void aPoolThatCannotShareBlocksRefusesGroups() {
        try (var workspace = Workspace.create()) {
            var directory = workspace.directory("memory");
            Workspace.run("mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", directory.toString());
            try (var driver =
                    RunningDriver.in(workspace).pool(directory.resolve("pool")).start()) {
                var csi = driver.csi();
                var idle = Claim.create(csi, workspace, "idle", SIZE, CsiClient.block());
                assertThat(codeOf(() -> create(csi, "group", idle.id()))).isEqualTo(Code.FAILED_PRECONDITION);
                Scene.clear(csi);
            } finally {
                Workspace.run("umount", directory.toString());
            }
        }
    }

    private static VolumeGroupSnapshot create(CsiClient csi, String name, String... volumes) {
        return csi.groups()
                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName(name)
                        .addAllSourceVolumeIds(List.of(volumes))
                        .build())
                .getGroupSnapshot();
    }

    private static VolumeGroupSnapshot get(CsiClient csi, String group, List<String> members) {
        return csi.groups()
                .getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(group)
                        .addAllSnapshotIds(members)
                        .build())
                .getGroupSnapshot();
    }

    private static void delete(CsiClient csi, String group, List<String> members) {
        csi.groups()
                .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(group)
                        .addAllSnapshotIds(members)
                        .build());
    }

    private static List<String> members(VolumeGroupSnapshot group) {
        return group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList();
    }
}
