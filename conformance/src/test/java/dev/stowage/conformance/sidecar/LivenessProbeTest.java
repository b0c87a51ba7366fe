package dev.stowage.conformance.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.citizen.Http;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LivenessProbeTest {

    private final Workspace workspace = Workspace.create();
    private final Path socket = workspace.root().resolve("csi.sock");

    @AfterEach
    void removeTheWorkspace() {
        workspace.close();
    }

    @Test
    void healthIsWhatTheDriversProbeSaysWhetherItIsThereOrNotOrHangs() throws Exception {
        try (var liveness = RunningSidecar.start(
                workspace,
                "liveness",
                "liveness",
                "-csi-address=unix://" + socket,
                "--http-endpoint",
                "127.0.0.1:0",
                "-probe-timeout=1s")) {
            Eventually.assertThat(() -> assertThat(liveness.port()).isPositive());
            var http = new Http(liveness.port());
            assertThat(http.get("/healthz").statusCode()).isEqualTo(503);
            try (var driver = RunningSidecar.startReferenceDriver(workspace, socket)) {
                Eventually.assertThat(
                        () -> assertThat(http.get("/healthz").statusCode()).isEqualTo(200));
                assertThat(http.get("/metrics").body())
                        .contains("grpc_status_code=\"OK\",method_name=\"/csi.v1.Identity/Probe\"} 1\n");
                signal(driver, "STOP");
                assertThat(http.get("/healthz").body()).contains("DEADLINE_EXCEEDED");
                signal(driver, "CONT");
                assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
            }
            assertThat(http.get("/healthz").statusCode()).isEqualTo(503);
            assertThat(liveness.stop()).isZero();
        }
    }

    @Test
    void twoAddressesForOneThingAreWrongUsage() {
        try (var liveness =
                RunningSidecar.start(workspace, "liveness", "liveness", "-http-endpoint=:1", "-metrics-address=:2")) {
            assertThat(liveness.exitCode()).isEqualTo(2);
            assertThat(liveness.log()).contains("exclude each other");
        }
    }

    private static void signal(RunningSidecar driver, String name) {
        Workspace.run("kill", "-" + name, Long.toString(driver.process().pid()));
    }
}
