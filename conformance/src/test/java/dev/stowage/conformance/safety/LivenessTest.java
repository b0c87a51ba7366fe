package dev.stowage.conformance.safety;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.NodeGetStorageHealthRequest;
import csi.v1.ProbeRequest;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.citizen.Http;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Rig;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rule 9: a pool that is gone makes its volumes unhealthy; it never restarts the driver. */
class LivenessTest {

    @Test
    void theDriverStaysAliveWhileItsPoolIsGone() {
        try (var rig = Rig.prepared((workspace, media) -> {
            media.filesystem("xfs", "host", Claim.GIB);
            return options -> options.pool(workspace.root().resolve("host")).with("--http", "127.0.0.1:0");
        })) {
            var http = Http.of(rig.driver());
            rig.claim("before", 32 * Claim.MIB, CsiClient.block());
            assertThat(storage(rig)).isEmpty();
            Path pool = rig.workspace().root().resolve("host");
            String device = Workspace.run("findmnt", "--noheadings", "--output", "SOURCE", pool.toString())
                    .strip();
            // As when a disk is pulled: nothing is where it was, and what was open leads nowhere.
            Workspace.run("umount", "--lazy", pool.toString());
            assertAlive(rig, http);
            assertThat(storage(rig)).containsExactly("STORAGE_UNREACHABLE PoolUnreachable");
            try {
                rig.claim("meanwhile", 32 * Claim.MIB, CsiClient.block()).delete();
            } catch (StatusRuntimeException refused) {
                assertThat(refused.getStatus().getCode()).isNotIn(Status.Code.UNKNOWN, Status.Code.UNIMPLEMENTED);
            }
            assertAlive(rig, http);
            Workspace.run("mount", device, pool.toString());
            assertThat(storage(rig)).isEmpty();
            assertAlive(rig, http);
        }
    }

    private static void assertAlive(Rig rig, Http http) {
        assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
        assertThat(http.get("/readyz").statusCode()).isEqualTo(200);
        assertThat(rig.csi()
                        .identity()
                        .probe(ProbeRequest.getDefaultInstance())
                        .getReady()
                        .getValue())
                .isTrue();
        assertThat(rig.driver().process().isAlive()).isTrue();
    }

    private static List<String> storage(Rig rig) {
        return rig
                .csi()
                .node()
                .nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance())
                .getBackendHealthList()
                .stream()
                .map(entry -> entry.getStatus() + " " + entry.getReason())
                .toList();
    }
}
