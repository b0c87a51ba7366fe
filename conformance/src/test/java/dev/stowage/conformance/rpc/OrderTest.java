package dev.stowage.conformance.rpc;

import static dev.stowage.conformance.rpc.Answer.codeOf;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status.Code;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OrderTest {

    static Stream<VolumeCapability> uses() {
        return Stream.of(CsiClient.mounted("ext4"), CsiClient.block());
    }

    @ParameterizedTest
    @MethodSource("uses")
    void callsInTheWrongOrderAreRefusedAndDoNoHarm(VolumeCapability use) {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).start()) {
            var csi = driver.csi();
            var claim = Claim.create(csi, workspace, "pvc", 64 * Claim.MIB, use);
            claim.attach();
            assertThat(codeOf(() -> claim.publish("pod"))).isEqualTo(Code.FAILED_PRECONDITION);
            assertThat(claim.target("pod")).doesNotExist();
            assertThat(codeOf(() -> csi.node().nodeGetVolumeStats(stats(claim))))
                    .isEqualTo(Code.NOT_FOUND);

            claim.stage();
            assertThat(codeOf(() -> csi.node()
                            .nodePublishVolume(claim.publishRequest("pod").toBuilder()
                                    .clearStagingTargetPath()
                                    .build())))
                    .isEqualTo(Code.FAILED_PRECONDITION);
            assertThat(codeOf(claim::delete)).isEqualTo(Code.FAILED_PRECONDITION);
            claim.detach();
            assertThat(codeOf(claim::delete)).as("staged, though detached").isEqualTo(Code.FAILED_PRECONDITION);
            claim.attach();

            claim.publish("pod");
            assertThat(codeOf(claim::unstage)).isEqualTo(Code.FAILED_PRECONDITION);
            assertThat(codeOf(() -> csi.node().nodeGetVolumeStats(stats(claim))))
                    .isEqualTo(Code.OK);

            claim.unpublish("pod");
            assertThat(codeOf(claim::delete)).isEqualTo(Code.FAILED_PRECONDITION);
            claim.unstage();
            claim.detach();
            claim.delete();
            assertThat(codeOf(claim::attach)).isEqualTo(Code.NOT_FOUND);
            assertThat(codeOf(claim::stage)).isEqualTo(Code.NOT_FOUND);
            assertThat(codeOf(() -> claim.publish("pod"))).isEqualTo(Code.NOT_FOUND);
        }
    }

    private static NodeGetVolumeStatsRequest stats(Claim claim) {
        return NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(claim.id())
                .setVolumePath(claim.target("pod").toString())
                .build();
    }
}
