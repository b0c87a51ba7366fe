package dev.stowage.conformance.citizen;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.GetCapacityRequest;
import csi.v1.GetPluginInfoRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeGetInfoRequest;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Refused;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The interface for scripts: options, environment, exit codes. */
class OptionsTest {

    private static final Path LAUNCHER = Path.of(Objects.requireNonNull(System.getenv("STOWAGE_HOME")), "stowage");

    private record Ended(int exitCode, String output) {}

    private static Process launch(Path output, List<String> command, Map<String, String> environment)
            throws IOException {
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().put("STOWAGE_NO_BUILD", "1");
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Ended run(Workspace workspace, List<String> command, Map<String, String> environment)
            throws Exception {
        Path output = workspace.root().resolve("output");
        var process = launch(output, command, environment);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(output);
        Files.delete(output);
        return new Ended(process.exitValue(), said);
    }

    private static List<String> driver(String... options) {
        var command = new ArrayList<>(List.of(LAUNCHER.toString(), "driver"));
        command.addAll(List.of(options));
        return command;
    }

    @Test
    void theHelpTellsEveryOptionWithItsVariable() throws Exception {
        try (var workspace = Workspace.create()) {
            var help = run(workspace, driver("--help"), Map.of());
            assertThat(help.exitCode()).isZero();
            var options = Pattern.compile("(?m)^ +(--[a-z-]+)=")
                    .matcher(help.output())
                    .results()
                    .map(match -> match.group(1))
                    .toList();
            assertThat(options).hasSizeGreaterThanOrEqualTo(16).contains("--backend", "--role", "--pool", "--http");
            String plain = help.output().replaceAll("\\s+", " ");
            for (String option : options) {
                assertThat(plain)
                        .contains("STOWAGE_"
                                + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT));
            }
            assertThat(plain).contains("Exit codes", "the kubelet refused the registration");
        }
    }

    @Test
    void everyOptionCanBeGivenByItsVariable() throws Exception {
        try (var workspace = Workspace.create()) {
            Path socket = workspace.root().resolve("by-variable.sock");
            Path registration = workspace.directory("registration");
            var environment = new HashMap<String, String>();
            environment.put("STOWAGE_BACKEND", "local");
            environment.put("STOWAGE_ROLE", "all");
            environment.put("STOWAGE_ENDPOINT", "unix://" + socket);
            environment.put("STOWAGE_NODE_ID", "by-variable");
            environment.put("STOWAGE_DRIVER_NAME", "variable.stowage.dev");
            environment.put(
                    "STOWAGE_POOL", workspace.root().resolve("variable-pool").toString());
            environment.put("STOWAGE_POOL_IMAGE", "600Mi");
            environment.put(
                    "STOWAGE_POOL_MOUNT_DIR", workspace.root().resolve("disks").toString());
            environment.put("STOWAGE_POOL_RESERVE", "200Mi");
            environment.put("STOWAGE_OVERCOMMIT", "3");
            environment.put("STOWAGE_ATTACH_LIMIT", "7");
            environment.put("STOWAGE_FREEZE_LIMIT", "2");
            environment.put("STOWAGE_KUBELET_REGISTRATION_DIR", registration.toString());
            environment.put("STOWAGE_KUBELET_CSI_ENDPOINT", "/seen/by/the/kubelet.sock");
            environment.put("STOWAGE_HTTP", "127.0.0.1:0");
            environment.put("STOWAGE_LOG_LEVEL", "debug");
            environment.put("STOWAGE_STOP_LIMIT", "5");
            Path output = workspace.root().resolve("output");
            var process = launch(output, driver(), environment);
            try (var csi = CsiClient.connect(socket)) {
                assertThat(csi.awaitReady(Duration.ofSeconds(60), process::isAlive))
                        .as("%s", Files.readString(output))
                        .isTrue();
                assertThat(csi.identity()
                                .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                                .getName())
                        .isEqualTo("variable.stowage.dev");
                var node = csi.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
                assertThat(node.getNodeId()).isEqualTo("by-variable");
                assertThat(node.getMaxVolumesPerNode()).isEqualTo(7);
                assertThat(workspace.root().resolve("variable-pool/pool.img")).hasSize(600 * Claim.MIB);
                long thin = csi.controller()
                        .getCapacity(GetCapacityRequest.getDefaultInstance())
                        .getAvailableCapacity();
                long thick = csi.controller()
                        .getCapacity(GetCapacityRequest.newBuilder()
                                .putParameters("provisioning", "thick")
                                .build())
                        .getAvailableCapacity();
                assertThat(thin).isBetween(1500 * Claim.MIB, 1800 * Claim.MIB);
                assertThat(thick).isBetween(250 * Claim.MIB, 400 * Claim.MIB);
                try (var kubelet = FakeKubelet.connect(registration.resolve("variable.stowage.dev-reg.sock"))) {
                    assertThat(kubelet.info().getEndpoint()).isEqualTo("/seen/by/the/kubelet.sock");
                }
                var port = Pattern.compile("served on port ([0-9]+)").matcher(Files.readString(output));
                assertThat(port.find()).isTrue();
                assertThat(new Http(Integer.parseInt(port.group(1)))
                                .get("/loglevel")
                                .body())
                        .isEqualTo("debug\n");
            } finally {
                process.destroy();
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(process.exitValue()).isZero();
        }
    }

    @Test
    void aRoleOffersItsOwnServicesOnly() throws Exception {
        try (var workspace = Workspace.create()) {
            for (String role : List.of("controller", "node")) {
                Path socket = workspace.root().resolve(role + ".sock");
                Path output = workspace.root().resolve("output");
                var process = launch(
                        output,
                        driver("--role", role, "--node-id", "n", "--pool", workspace.root() + "/pool"),
                        // The variable by which stock deployments name the socket.
                        Map.of("CSI_ENDPOINT", "unix://" + socket));
                try (var csi = CsiClient.connect(socket)) {
                    assertThat(csi.awaitReady(Duration.ofSeconds(60), process::isAlive))
                            .isTrue();
                    if (role.equals("controller")) {
                        var _ = csi.controller().listVolumes(ListVolumesRequest.getDefaultInstance());
                        Refused.with(
                                Status.Code.UNIMPLEMENTED,
                                () -> csi.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()));
                    } else {
                        var _ = csi.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
                        Refused.with(
                                Status.Code.UNIMPLEMENTED,
                                () -> csi.controller().listVolumes(ListVolumesRequest.getDefaultInstance()));
                    }
                } finally {
                    process.destroy();
                    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--no-such-option, 1,        --no-such-option",
        "--role,           king,     --role",
        "--backend,        tape,     --backend",
        "--endpoint,       tcp://:1, --endpoint",
        "--node-id,        a/b,      --node-id",
        "--driver-name,    a b,      --driver-name",
        "--pool-image,     many,     --pool-image",
        "--pool-image,     1Mi,      --pool-image",
        "--pool-reserve,   -5,       --pool-reserve",
        "--overcommit,     0.5,      --overcommit",
        "--attach-limit,   -1,       --attach-limit",
        "--attach-limit,   few,      --attach-limit",
        "--freeze-limit,   0,        --freeze-limit",
        "--http,           nowhere,  --http",
        "--log-level,      loud,     --log-level",
        "--stop-limit,     soon,     --stop-limit",
        "--stop-limit,     -1,       --stop-limit"
    })
    void aWrongOptionIsNamedAndNothingIsTouched(String option, String value, String named) throws Exception {
        try (var workspace = Workspace.create()) {
            var right = new HashMap<String, String>();
            right.put("STOWAGE_ENDPOINT", "unix://" + workspace.root() + "/csi.sock");
            right.put("STOWAGE_NODE_ID", "n");
            right.put("STOWAGE_POOL", workspace.root() + "/pool");
            var ended = run(workspace, driver(option, value), right);
            assertThat(ended.exitCode()).as(ended.output()).isEqualTo(2);
            assertThat(ended.output()).containsIgnoringCase(named);
            try (var left = Files.walk(workspace.root())) {
                assertThat(left.filter(path -> path.endsWith("volumes") || path.endsWith("csi.sock")))
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"STOWAGE_ENDPOINT, --endpoint", "STOWAGE_NODE_ID, --node-id", "STOWAGE_POOL, --pool"})
    void aMissingOptionIsNamed(String variable, String option) throws Exception {
        try (var workspace = Workspace.create()) {
            var most = new HashMap<String, String>();
            most.put("STOWAGE_ENDPOINT", "unix://" + workspace.root() + "/csi.sock");
            most.put("STOWAGE_NODE_ID", "n");
            most.put("STOWAGE_POOL", workspace.root() + "/pool");
            most.remove(variable);
            var ended = run(workspace, driver(), most);
            assertThat(ended.exitCode()).as(ended.output()).isEqualTo(2);
            assertThat(ended.output()).contains(option);
        }
    }

    @Test
    void whoeverIsNotRootIsToldBeforeAnythingIsTouched() throws Exception {
        try (var workspace = Workspace.create()) {
            // A copy, because another user may not be able to look where the sources are.
            Path launcher = workspace.root().resolve("stowage");
            Files.copy(LAUNCHER, launcher);
            Workspace.run("chmod", "755", launcher.toString(), workspace.root().toString());
            var command = new ArrayList<>(
                    List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", launcher.toString()));
            command.addAll(List.of("driver", "--endpoint", "unix://" + workspace.root() + "/csi.sock"));
            command.addAll(List.of("--node-id", "n", "--pool", workspace.root() + "/pool"));
            var ended = run(workspace, command, Map.of());
            assertThat(ended.exitCode()).isEqualTo(3);
            assertThat(ended.output()).contains("root").contains("Nothing has been touched");
            try (var entries = Files.list(workspace.root())) {
                assertThat(entries).containsExactly(launcher);
            }
        }
    }
}
