package dev.stowage.driver.group;

import static dev.stowage.driver.testing.TestingDriver.code;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.Snapshot;
import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.driver.testing.TestingDriver;
import io.grpc.Status.Code;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupServiceTest {

    private TestingDriver driver;

    @BeforeEach
    void start() {
        driver = TestingDriver.complete();
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    @Test
    void aGroupIsMadeFoundAndDeletedWithItsMembers() {
        var made = driver.groups()
                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName("g")
                        .addSourceVolumeIds("vol-a")
                        .addSourceVolumeIds("vol-b")
                        .putParameters("k", "v")
                        .build())
                .getGroupSnapshot();
        assertThat(driver.backend.lastReceived())
                .isEqualTo(new GroupSnapshots.Wanted(
                        new RequestName("g"), List.of(new VolumeId("vol-a"), new VolumeId("vol-b")), Map.of("k", "v")));
        assertThat(made.getGroupSnapshotId()).isEqualTo("group-g");
        assertThat(made.getReadyToUse()).isTrue();
        assertThat(made.getSnapshotsList())
                .extracting(Snapshot::getGroupSnapshotId)
                .containsOnly("group-g");
        assertThat(made.getSnapshotsList())
                .extracting(Snapshot::getSourceVolumeId)
                .containsExactly("vol-a", "vol-b");

        var members =
                made.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList();
        var get = GetVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId("group-g")
                .addAllSnapshotIds(members)
                .build();
        assertThat(driver.groups().getVolumeGroupSnapshot(get).getGroupSnapshot())
                .isEqualTo(made);
        driver.groups()
                .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId("group-g")
                        .addAllSnapshotIds(members)
                        .build());
        assertThat(driver.backend.lastReceived())
                .isEqualTo(members.stream().map(SnapshotId::new).toList());
        assertThat(code(() -> driver.groups().getVolumeGroupSnapshot(get))).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void aGroupWithoutMembersIsTheBackendsToJudge() {
        driver.groups()
                .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId("gone")
                        .build());
        assertThat(driver.backend.lastReceived()).isEqualTo(List.of());
        assertThat(code(() -> driver.groups()
                        .getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest.newBuilder()
                                .setGroupSnapshotId("gone")
                                .build())))
                .isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void wrongRequestsAreInvalid() {
        var create = CreateVolumeGroupSnapshotRequest.newBuilder().setName("g").addSourceVolumeIds("vol-a");
        for (var wrong : List.of(
                create.clone().clearName(),
                create.clone().clearSourceVolumeIds(),
                create.clone().addSourceVolumeIds("vol-a"),
                create.clone().addSourceVolumeIds(""),
                create.clone().putParameters("k", "\n"))) {
            assertThat(code(() -> driver.groups().createVolumeGroupSnapshot(wrong.build())))
                    .isEqualTo(Code.INVALID_ARGUMENT);
        }
        assertThat(code(() -> driver.groups()
                        .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.getDefaultInstance())))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(code(() -> driver.groups()
                        .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                                .setGroupSnapshotId("g")
                                .addSnapshotIds("../x")
                                .build())))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(code(() ->
                        driver.groups().getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest.getDefaultInstance())))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(driver.backend.received).isEmpty();
    }
}
