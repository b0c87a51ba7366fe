package dev.stowage.conformance.hostile;

import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.GetMetadataAllocatedRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.rpc.Answer;
import dev.stowage.conformance.rpc.Rpc;
import dev.stowage.conformance.rpc.Scene;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LinksTest {

    private static final long SIZE = 64 * Claim.MIB;

    @Test
    void linksAtTheGivenPathsAreNotFollowed() throws IOException {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).start()) {
            var watch = Watch.over(workspace, driver);
            var outside = watch.canary().directory();
            for (var use : List.of(CsiClient.mounted("ext4"), CsiClient.block())) {
                var claim = Claim.create(driver.csi(), workspace, "pvc", SIZE, use);
                claim.attach();
                Files.delete(claim.staging());
                var staging = workspace.root().resolve("staging").resolve(claim.id());
                Files.createSymbolicLink(staging, outside);
                if (use.hasMount()) {
                    assertThat(Rpc.call(
                                            driver.csi(),
                                            claim.stageRequest().toBuilder()
                                                    .setStagingTargetPath(staging.toString())
                                                    .build())
                                    .code())
                            .isIn(INVALID_ARGUMENT, FAILED_PRECONDITION);
                }
                Files.delete(staging);
                claim.stage();

                for (var linked :
                        List.of(outside, watch.canary().file(), workspace.root().resolve("nowhere"))) {
                    Files.createSymbolicLink(claim.target("pod"), linked);
                    var answer = Rpc.call(driver.csi(), claim.publishRequest("pod"));
                    assertThat(answer.code()).as(answer.toString()).isIn(INVALID_ARGUMENT, FAILED_PRECONDITION);
                    Files.delete(claim.target("pod"));
                }
                // Put in the way after the fact, where something is to be removed.
                claim.publish("pod");
                Workspace.run("umount", claim.target("pod").toString());
                Files.delete(claim.target("pod"));
                Files.createSymbolicLink(claim.target("pod"), outside);
                var answer = Rpc.call(driver.csi(), unpublish(claim));
                assertThat(answer.code()).as(answer.toString()).isIn(OK, INVALID_ARGUMENT, FAILED_PRECONDITION);
                Files.deleteIfExists(claim.target("pod"));
                claim.release("pod");
                claim.delete();
                watch.assertUnharmed();
            }
        }
    }

    private static Message unpublish(Claim claim) {
        return NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(claim.id())
                .setTargetPath(claim.target("pod").toString())
                .build();
    }

    @Test
    void linksInPlaceOfThePoolsFilesAreNotFollowed() throws IOException {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start()) {
            var csi = driver.csi();
            var watch = Watch.over(workspace, driver);
            var claim = Claim.create(csi, workspace, "pvc", SIZE, CsiClient.mounted("ext4"));
            var snapshot = claim.snapshot("snapshot");
            for (var file : List.of("volumes/" + claim.id(), "snapshots/" + snapshot.getSnapshotId())) {
                var path = workspace.root().resolve("pool/pool").resolve(file);
                Files.delete(path);
                Files.createSymbolicLink(path, watch.canary().file());
            }
            claim.attach();
            List<Message> calls = List.of(
                    claim.stageRequest(),
                    CreateSnapshotRequest.newBuilder()
                            .setName("another")
                            .setSourceVolumeId(claim.id())
                            .build(),
                    CreateVolumeGroupSnapshotRequest.newBuilder()
                            .setName("group")
                            .addSourceVolumeIds(claim.id())
                            .build(),
                    ControllerExpandVolumeRequest.newBuilder()
                            .setVolumeId(claim.id())
                            .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2 * SIZE))
                            .build(),
                    ControllerModifyVolumeRequest.newBuilder()
                            .setVolumeId(claim.id())
                            .putModifiableParameters("provisioning", "thick")
                            .build(),
                    copy("copy", claim)
                            .setVolumeContentSource(VolumeContentSource.newBuilder()
                                    .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                            .setSnapshotId(snapshot.getSnapshotId())))
                            .build(),
                    copy("clone", claim)
                            .setVolumeContentSource(VolumeContentSource.newBuilder()
                                    .setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                            .setVolumeId(claim.id())))
                            .build(),
                    GetMetadataAllocatedRequest.newBuilder()
                            .setSnapshotId(snapshot.getSnapshotId())
                            .build());
            for (Message call : calls) {
                var answer = Rpc.call(csi, call);
                assertThat(answer.code())
                        .as("%s: %s", Rpc.taking(call), answer)
                        .isIn(INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION);
            }
            assertThat(csi.controller()
                            .controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.newBuilder()
                                    .setVolumeId(claim.id())
                                    .build())
                            .getVolumeHealth()
                            .getHealthStatusesList())
                    .isNotEmpty();
            claim.detach();
            assertThat(Answer.codeOf(claim::delete)).isEqualTo(FAILED_PRECONDITION);
            // The way out that the message names.
            Files.delete(workspace.root().resolve("pool/pool/volumes").resolve(claim.id()));
            Scene.clear(csi);
            watch.assertUnharmed();
        }
    }

    private static CreateVolumeRequest.Builder copy(String name, Claim claim) {
        return Claim.request(name, SIZE, claim.capability(), Map.of()).toBuilder();
    }

    @Test
    void aPoolWhoseDirectoriesAreLinksIsNotOpened() throws Exception {
        for (String replaced : List.of("volumes", "snapshots", "ephemeral")) {
            try (var workspace = Workspace.create()) {
                var canary = Canary.plant(workspace.root().resolve("outside"));
                RunningDriver.in(workspace).start().close();
                var directory = workspace.root().resolve("pool").resolve(replaced);
                assertThat(Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS))
                        .isTrue();
                Files.delete(directory);
                Files.createSymbolicLink(directory, canary.directory());
                var process = RunningDriver.in(workspace).launch();
                assertThat(process.waitFor()).as(replaced).isEqualTo(1);
                assertThat(canary.now()).isEqualTo(canary.planted());
            }
        }
    }
}
