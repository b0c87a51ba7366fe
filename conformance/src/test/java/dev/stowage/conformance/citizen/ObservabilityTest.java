package dev.stowage.conformance.citizen;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.DeleteVolumeRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodePublishVolumeRequest;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.conformance.pool.Rig;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObservabilityTest {

    private static final Pattern SAMPLE = Pattern.compile(
            "[a-z_]+(\\{[a-z_]+=\"[^\"]*\"(,[a-z_]+=\"[^\"]*\")*})? [0-9.eE+-]+|# (HELP|TYPE) [a-z_]+ .+");
    private static final Pattern LINE = Pattern.compile("ts=\\S+ level=(error|warn|info|debug|trace) .*msg=\".*\".*");
    private static final Pattern CALL = Pattern.compile("\\bcall=(\\S+) rpc=CreateVolume\\b");

    private final Rig rig = Rig.with(options -> options.with("--http", "127.0.0.1:0"));
    private final Http http = Http.of(rig.driver());

    @AfterAll
    void end() {
        rig.close();
    }

    private double metric(String name) {
        return http.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findAny()
                .orElse(0);
    }

    @Test
    void livenessAndReadinessAreToldInOneWord() {
        for (String path : List.of("/healthz", "/readyz")) {
            assertThat(http.get(path).statusCode()).isEqualTo(200);
            assertThat(http.get(path).body()).isEqualTo("ok\n");
        }
        assertThat(http.get("/healthz/etc").statusCode()).isEqualTo(404);
        assertThat(http.get("/").statusCode()).isEqualTo(404);
    }

    @Test
    void metricsAreReadableAndMove() {
        String made = "stowage_csi_calls_total{rpc=\"CreateVolume\",code=\"OK\"}";
        String refused = "stowage_csi_calls_total{rpc=\"CreateVolume\",code=\"INVALID_ARGUMENT\"}";
        String timed = "stowage_csi_call_duration_seconds_count{rpc=\"CreateVolume\"}";
        double madeBefore = metric(made);
        double refusedBefore = metric(refused);
        rig.claim("counted", 32 * Claim.MIB, CsiClient.block()).delete();
        Refused.with(
                Status.Code.INVALID_ARGUMENT,
                () -> rig.claim("refused", 32 * Claim.MIB, CsiClient.block(), Map.of("no-such", "parameter")));
        Eventually.assertThat(() -> {
            assertThat(metric(made)).isEqualTo(madeBefore + 1);
            assertThat(metric(refused)).isEqualTo(refusedBefore + 1);
        });
        assertThat(metric(timed)).isGreaterThanOrEqualTo(2);
        Eventually.assertThat(() -> assertThat(metric("stowage_csi_calls_in_flight{rpc=\"CreateVolume\"}"))
                .isZero());
        assertThat(metric("process_resident_memory_bytes")).isGreaterThan(10_000_000);
        assertThat(http.get("/metrics").headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/plain");
        assertThat(http.get("/metrics").body().lines())
                .allMatch(line -> SAMPLE.matcher(line).matches());
    }

    @Test
    void everyLineOfACallCarriesItsIdAndNoTwoCallsShareOne() {
        int before = rig.driver().log().length();
        rig.claim("logged-1", 32 * Claim.MIB, CsiClient.block()).delete();
        rig.claim("logged-2", 32 * Claim.MIB, CsiClient.block()).delete();
        // A call's line comes after its answer.
        Eventually.assertThat(() -> assertThat(
                        rig.driver().log().substring(before).lines().filter(line -> line.contains("rpc=DeleteVolume")))
                .hasSize(2));
        String log = rig.driver().log().substring(before);
        assertThat(log.lines()).allMatch(line -> LINE.matcher(line).matches());
        var ids = CALL.matcher(log).results().map(match -> match.group(1)).toList();
        assertThat(ids).hasSize(2).doesNotHaveDuplicates();
        assertThat(log.lines().filter(line -> line.contains("rpc=DeleteVolume")))
                .hasSize(2)
                .noneMatch(line -> ids.stream().anyMatch(line::contains))
                .allMatch(line -> line.contains("code=OK") && line.contains("ms="));
    }

    @Test
    void theLogLevelIsChangedWhileTheDriverRuns() {
        assertThat(http.get("/loglevel").body()).isEqualTo("info\n");
        assertThat(logOfAListing()).doesNotContain("rpc=ListVolumes");
        assertThat(http.put("/loglevel?level=debug").statusCode()).isEqualTo(200);
        try {
            assertThat(http.get("/loglevel").body()).isEqualTo("debug\n");
            Eventually.assertThat(() -> assertThat(logOfAListing()).contains("rpc=ListVolumes", "level=debug"));
        } finally {
            http.put("/loglevel?level=info");
        }
        assertThat(logOfAListing()).doesNotContain("rpc=ListVolumes");
        assertThat(http.put("/loglevel?level=loud").statusCode()).isEqualTo(400);
        assertThat(http.get("/loglevel").body()).isEqualTo("info\n");
    }

    private String logOfAListing() {
        int before = rig.driver().log().length();
        var _ = rig.csi().controller().listVolumes(ListVolumesRequest.getDefaultInstance());
        return rig.driver().log().substring(before);
    }

    @Test
    void secretsAreInNoLineNotEvenAtTheFinestLevel() {
        http.put("/loglevel?level=trace");
        try {
            var claim = rig.claim("secretive", 32 * Claim.MIB, CsiClient.mounted("ext4"));
            rig.csi()
                    .controller()
                    .createVolume(
                            Claim.request("secretive", 32 * Claim.MIB, CsiClient.mounted("ext4"), Map.of()).toBuilder()
                                    .putSecrets("password", "correct-horse")
                                    .build());
            Refused.with(
                            Status.Code.FAILED_PRECONDITION,
                            () -> rig.csi()
                                    .node()
                                    .nodePublishVolume(NodePublishVolumeRequest.newBuilder(claim.publishRequest("pod"))
                                            .putSecrets("password", "correct-horse")
                                            .build()))
                    .doesNotContain("correct-horse");
            rig.csi()
                    .controller()
                    .deleteVolume(DeleteVolumeRequest.newBuilder()
                            .setVolumeId(claim.id())
                            .putSecrets("password", "correct-horse")
                            .build());
            Eventually.assertThat(
                    () -> assertThat(rig.driver().log()).contains("rpc=DeleteVolume volume=" + claim.id()));
            assertThat(rig.driver().log()).contains("secretive").doesNotContain("correct-horse");
        } finally {
            http.put("/loglevel?level=info");
        }
    }
}
