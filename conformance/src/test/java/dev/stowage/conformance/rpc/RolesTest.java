package dev.stowage.conformance.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginCapabilitiesResponse;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RolesTest {

    private static final Set<String> EVERY_ROLE = Set.of("Identity");
    private static final Set<String> NODE = Set.of("Node");

    @Test
    void twoProcessesServeTheWholeLifeOfAVolumeAndEachRefusesWhatIsTheOthers() throws IOException {
        try (var workspace = Workspace.create();
                var controller = RunningDriver.in(workspace)
                        .sharingBlocks("4Gi")
                        .role("controller")
                        .socket(workspace.root().resolve("controller.sock"))
                        .start();
                var node = RunningDriver.in(workspace)
                        .sharingBlocks("4Gi")
                        .role("node")
                        .socket(workspace.root().resolve("node.sock"))
                        .start()) {
            for (Rpc rpc : Rpc.all()) {
                boolean every = EVERY_ROLE.contains(rpc.service());
                boolean nodes = NODE.contains(rpc.service());
                assertThat(rpc.send(controller.csi(), rpc.emptyRequest()).code() != Code.UNIMPLEMENTED)
                        .as("%s at the controller", rpc)
                        .isEqualTo(every || !nodes);
                assertThat(rpc.send(node.csi(), rpc.emptyRequest()).code() != Code.UNIMPLEMENTED)
                        .as("%s at the node", rpc)
                        .isEqualTo(every || nodes);
            }
            // CSI: the same set from all instances, whichever calls they serve.
            assertThat(capabilities(node.csi())).isEqualTo(capabilities(controller.csi()));

            var both = both(controller.csi(), node.csi());
            var claim = Claim.create(both, workspace, "pvc", 64 * Claim.MIB, CsiClient.mounted("ext4"));
            Files.writeString(claim.use("pod").resolve("note"), "hello");
            // The controller freezes a filesystem that another process has mounted.
            var snapshot = claim.snapshot("snapshot");
            var request = Claim.request("copy", 64 * Claim.MIB, claim.capability(), Map.of()).toBuilder()
                    .setVolumeContentSource(VolumeContentSource.newBuilder()
                            .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                    .setSnapshotId(snapshot.getSnapshotId())))
                    .build();
            var copy = new Claim(
                    both, workspace, both.controller().createVolume(request).getVolume(), claim.capability());
            assertThat(copy.use("pod-2").resolve("note")).hasContent("hello");
            copy.release("pod-2");
            claim.release("pod");
            Scene.clear(both);
        }
    }

    private static GetPluginCapabilitiesResponse capabilities(CsiClient csi) {
        return csi.identity().getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance());
    }

    /** Each service where it is served. */
    private static CsiClient both(CsiClient controller, CsiClient node) {
        return new CsiClient(
                controller.channel(),
                controller.identity(),
                controller.controller(),
                controller.groups(),
                controller.metadata(),
                node.node());
    }
}
