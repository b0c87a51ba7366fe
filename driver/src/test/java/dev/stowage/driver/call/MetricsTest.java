package dev.stowage.driver.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MetricsTest {

    private final Metrics metrics = new Metrics("test.stowage.dev", "1\"2");

    @Test
    void callsAreCountedByRpcAndCode() {
        for (Code code : new Code[] {Code.OK, Code.OK, Code.NOT_FOUND}) {
            metrics.started("DeleteVolume");
            metrics.finished("DeleteVolume", code, 1);
        }
        metrics.started("Probe");
        assertThat(metrics.text())
                .contains("stowage_csi_calls_total{rpc=\"DeleteVolume\",code=\"OK\"} 2\n")
                .contains("stowage_csi_calls_total{rpc=\"DeleteVolume\",code=\"NOT_FOUND\"} 1\n")
                .contains("stowage_csi_calls_in_flight{rpc=\"DeleteVolume\"} 0\n")
                .contains("stowage_csi_calls_in_flight{rpc=\"Probe\"} 1\n");
    }

    @Test
    void durationsAreAddedUpInBuckets() {
        for (long milliseconds : new long[] {1, 3, 400, 100_000}) {
            metrics.started("NodeStageVolume");
            metrics.finished("NodeStageVolume", Code.OK, TimeUnit.MILLISECONDS.toNanos(milliseconds));
        }
        String name = "stowage_csi_call_duration_seconds";
        assertThat(metrics.text())
                .contains(name + "_bucket{rpc=\"NodeStageVolume\",le=\"0.001\"} 1\n")
                .contains(name + "_bucket{rpc=\"NodeStageVolume\",le=\"0.005\"} 2\n")
                .contains(name + "_bucket{rpc=\"NodeStageVolume\",le=\"0.25\"} 2\n")
                .contains(name + "_bucket{rpc=\"NodeStageVolume\",le=\"0.5\"} 3\n")
                .contains(name + "_bucket{rpc=\"NodeStageVolume\",le=\"60.0\"} 3\n")
                .contains(name + "_bucket{rpc=\"NodeStageVolume\",le=\"+Inf\"} 4\n")
                .contains(name + "_sum{rpc=\"NodeStageVolume\"} 100.404\n")
                .contains(name + "_count{rpc=\"NodeStageVolume\"} 4\n");
    }

    @Test
    void theProcessSaysWhatItIsAndHowMuchMemoryItHas() {
        assertThat(metrics.text())
                .contains("stowage_build_info{driver=\"test.stowage.dev\",version=\"1\\\"2\",java=\"")
                .containsPattern("process_resident_memory_bytes [1-9][0-9]{6,}\n");
    }

    @Test
    void everyLineIsAValidExposition() {
        metrics.started("Probe");
        metrics.finished("Probe", Code.OK, 5);
        assertThat(metrics.text().lines())
                .allMatch(line -> line.matches("# (HELP|TYPE) [a-z_]+ .+")
                        || line.matches("[a-z_]+(\\{([a-z]+=\"([^\"\\\\]|\\\\.)*\",?)+})? [0-9.E+-]+"));
    }
}
