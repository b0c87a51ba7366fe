package dev.stowage.conformance.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.citizen.FakeKubelet;
import dev.stowage.conformance.citizen.Http;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegistrarTest {

    private static final String AS_THE_KUBELET_SEES_IT = "/var/lib/kubelet/plugins/foreign/csi.sock";

    private final Workspace workspace = Workspace.create();
    private final Path registry = workspace.directory("registry");
    private final Path socket = workspace.root().resolve("csi.sock");
    private final Path registration = registry.resolve("foreign.example-reg.sock");

    @AfterEach
    void removeTheWorkspace() {
        workspace.close();
    }

    private RunningSidecar registrar(String... more) {
        String[] arguments = {
            "registrar",
            "--csi-address=" + socket,
            "-kubelet-registration-path",
            AS_THE_KUBELET_SEES_IT,
            "--plugin-registration-path=" + registry,
            "--v=5"
        };
        var all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(more));
        return RunningSidecar.start(workspace, "registrar", all.toArray(String[]::new));
    }

    @Test
    void aForeignDriverIsOfferedToTheKubeletAsSoonAsItIsThereAndAgainWhenItsSocketIsGone() throws IOException {
        try (var registrar = registrar("--http-endpoint=127.0.0.1:0")) {
            Eventually.assertThat(() -> assertThat(registrar.port()).isPositive());
            var http = new Http(registrar.port());
            assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(registry).isEmptyDirectory();
            try (var driver = RunningDriver.in(workspace)
                    .socket(socket)
                    .with("--driver-name", "foreign.example")
                    .start()) {
                Eventually.assertThat(() -> assertThat(registration).exists());
                assertThat(driver.process().isAlive()).isTrue();
                try (var kubelet = FakeKubelet.connect(registration)) {
                    var info = kubelet.info();
                    assertThat(info.getType()).isEqualTo("CSIPlugin");
                    assertThat(info.getName()).isEqualTo("foreign.example");
                    assertThat(info.getEndpoint()).isEqualTo(AS_THE_KUBELET_SEES_IT);
                    assertThat(info.getSupportedVersionsList()).containsExactly("1.0.0");
                    kubelet.tell(true, "");
                }
                assertThat(http.get("/healthz").statusCode()).isEqualTo(200);

                Files.delete(registration);
                assertThat(http.get("/healthz").statusCode()).isEqualTo(503);
                Eventually.assertThat(() -> assertThat(registration).exists());
                Eventually.assertThat(
                        () -> assertThat(http.get("/healthz").statusCode()).isEqualTo(200));
            }
            assertThat(registrar.stop()).isZero();
            assertThat(registry).isEmptyDirectory();
        }
    }

    @Test
    void theDriverIsReadyWhenTheKubeletHasTakenItAndItAnswersAndNotLonger() {
        try (var registrar = registrar("--http-endpoint=127.0.0.1:0")) {
            Eventually.assertThat(() -> assertThat(registrar.port()).isPositive());
            var http = new Http(registrar.port());
            assertThat(http.get("/readyz").statusCode()).isEqualTo(503);
            assertThat(http.get("/readyz").body()).contains("has not told its name");
            try (var driver = RunningDriver.in(workspace)
                    .socket(socket)
                    .with("--driver-name", "foreign.example")
                    .start()) {
                Eventually.assertThat(() -> assertThat(registration).exists());
                Eventually.assertThat(() -> {
                    assertThat(http.get("/readyz").statusCode()).isEqualTo(503);
                    assertThat(http.get("/readyz").body()).contains("the kubelet has not registered the driver");
                });
                try (var kubelet = FakeKubelet.connect(registration)) {
                    kubelet.tell(true, "");
                }
                Eventually.assertThat(
                        () -> assertThat(http.get("/readyz").statusCode()).isEqualTo(200));

                signal(driver, "STOP");
                assertThat(http.get("/readyz").statusCode()).isEqualTo(503);
                assertThat(http.get("/readyz").body()).contains("does not answer Probe", "DEADLINE_EXCEEDED");
                signal(driver, "CONT");
                Eventually.assertThat(
                        () -> assertThat(http.get("/readyz").statusCode()).isEqualTo(200));
            }
            assertThat(http.get("/readyz").body()).contains("does not answer Probe");
            assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
        }
    }

    private static void signal(RunningDriver driver, String name) {
        Workspace.run("kill", "-" + name, Long.toString(driver.process().pid()));
    }

    @Test
    void theNodeIsLookedAtThroughItsProcAndOnlyWhereThatIsGiven() throws IOException {
        var proc = workspace.directory("proc");
        Files.createDirectory(proc.resolve("1"));
        Files.writeString(proc.resolve("1/comm"), "iscsid\n");
        Files.writeString(proc.resolve("1/stat"), "1 (iscsid) S 0\n");
        Files.writeString(proc.resolve("1/mountinfo"), "27 1 254:0 / / rw - ext4 /dev/vda rw\n");
        try (var registrar =
                registrar("--http-endpoint=127.0.0.1:0", "--host-proc=" + proc, "--kubelet-directory=/srv/kubelet")) {
            Eventually.assertThat(() -> assertThat(registrar.port()).isPositive());
            var answer = new Http(registrar.port()).get("/preflight");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(answer.body())
                    .contains("{\"name\": \"Iscsid\", \"ok\": true, \"message\": \"iscsid runs\"}")
                    .contains("{\"name\": \"Multipath\", \"ok\": false")
                    .contains("{\"name\": \"KubeletDirectory\", \"ok\": false", "/srv/kubelet");
        }
        try (var registrar = RunningSidecar.start(
                workspace,
                "without",
                "registrar",
                "--csi-address=" + socket,
                "--kubelet-registration-path=/x",
                "--http-endpoint=127.0.0.1:0")) {
            Eventually.assertThat(() -> assertThat(registrar.port()).isPositive());
            assertThat(new Http(registrar.port()).get("/preflight").statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void aRefusalEndsTheRegistrarSoThatItIsStartedAgain() {
        try (var driver = RunningDriver.in(workspace)
                        .socket(socket)
                        .with("--driver-name", "foreign.example")
                        .start();
                var registrar = registrar()) {
            Eventually.assertThat(() -> assertThat(registration).exists());
            try (var kubelet = FakeKubelet.connect(registration)) {
                kubelet.tell(false, "no such version");
            }
            assertThat(registrar.exitCode()).isEqualTo(1);
            assertThat(registrar.log()).contains("refused to register foreign.example: no such version");
            assertThat(driver.process().isAlive()).isTrue();
        }
    }

    @Test
    void theProbeModeOfOlderManifestsSucceedsAtOnce() {
        try (var registrar = registrar("--mode=kubelet-registration-probe")) {
            assertThat(registrar.exitCode()).isZero();
        }
    }

    @Test
    void anUnknownFlagIsWrongUsageAndIsNamed() {
        try (var registrar = registrar("--kubelet-registration-pass=/x")) {
            assertThat(registrar.exitCode()).isEqualTo(2);
            assertThat(registrar.log()).contains("--kubelet-registration-pass");
        }
    }
}
