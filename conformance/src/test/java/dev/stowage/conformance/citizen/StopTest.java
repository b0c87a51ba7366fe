package dev.stowage.conformance.citizen;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ListVolumesRequest;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.conformance.pool.Rig;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StopTest {

    @Test
    void whatIsUnderWayIsFinishedBeforeTheProcessEnds() throws Exception {
        try (var rig = Rig.with(
                options -> options.with("--http", "127.0.0.1:0").environment("STOWAGE_STALL_AT", "CreateVolume:1"))) {
            var http = Http.of(rig.driver());
            var slow = CompletableFuture.supplyAsync(() -> rig.claim("slow", 32 * Claim.MIB, CsiClient.block()));
            Eventually.assertThat(() -> assertThat(http.get("/metrics").body())
                    .contains("stowage_csi_calls_in_flight{rpc=\"CreateVolume\"} 1"));
            assertThat(rig.driver().process().toHandle().destroy())
                    .as("SIGTERM is sent")
                    .isTrue();
            var claim = slow.get(60, TimeUnit.SECONDS);
            rig.driver().await();
            assertThat(rig.driver().process().exitValue()).isZero();
            assertThat(rig.driver().log()).contains("msg=\"stopped\"");
            rig.restart(options -> options.environment("STOWAGE_STALL_AT", "none:0"));
            assertThat(rig.csi()
                            .controller()
                            .listVolumes(ListVolumesRequest.getDefaultInstance())
                            .getEntriesList())
                    .singleElement()
                    .matches(entry -> entry.getVolume().getVolumeId().equals(claim.id()));
        }
    }
}
