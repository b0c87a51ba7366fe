package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.testing.ArrayUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the pool does as time passes and room goes. */
class PoolTest {

    private ArrayUnderTest array;

    @BeforeEach
    void start() throws IOException {
        array = new ArrayUnderTest();
    }

    @AfterEach
    void stop() throws IOException {
        array.close();
    }

    @Test
    void theRecycleBinKeepsAVolumeForSevenDays() throws IOException {
        var volume = array.volume("recycled", "16M");
        array.api().delete("/volumes/" + volume + ".json").done();

        array.pass(Duration.ofDays(6));
        assertThat(array.files()).contains(volume);
        var later = array.volume("later", "16M");
        array.api().delete("/volumes/" + later + ".json").done();
        array.pass(Duration.ofDays(1));

        assertThat(array.files()).containsExactly(later);
        assertThat(array.api()
                        .get("/pools/" + ArrayUnderTest.POOL + "/volumes_in_recycle_bin.json")
                        .list("volumes"))
                .singleElement()
                .satisfies(left -> assertThat(left.get("name")).isEqualTo(later));
    }

    @Test
    void aPoolThatFillsUpGoesThroughItsModesAndRecovers() throws IOException {
        var kept = array.volume("kept", "16M");
        // Of about 2 GiB, 512 MiB go in ten minutes: there is room for about half an hour more.
        protect(Map.of("alertmode", 50, "protectedmode", 5, "capacityhistory", 10));
        array.pass(Duration.ofHours(1));
        assertThat(mode()).isEqualTo("normal");
        var ballast = ballast(512);

        array.pass(Duration.ofMinutes(10));
        assertThat(mode()).isEqualTo("alert");
        array.volume("while-alert", "16M");

        protect(Map.of("protectedmode", 50));
        assertThat(mode()).isEqualTo("protected");
        assertThat(create("while-protected")).contains("protected mode");
        assertThat(snapshot(kept)).contains("protected mode");
        array.api()
                .post("/volumes/" + kept + "/expand.json", Map.of("capacity", "16M"))
                .done();

        protect(Map.of("emergencymode", 1000));
        assertThat(List.of("alertmode", "protectedmode", "emergencymode", "capacityhistory"))
                .extracting(threshold ->
                        Double.valueOf(String.valueOf(pool().get(threshold))).intValue())
                .containsExactly(50, 50, 1000, 10);
        assertThat(mode()).isEqualTo("emergency");
        assertThat(create("while-emergency")).contains("emergency mode");
        assertThat(array.api()
                        .post("/volumes/" + kept + "/expand.json", Map.of("capacity", "16M"))
                        .message())
                .contains("emergency mode");

        protect(Map.of("emergencymode", 0));
        Files.delete(ballast);
        array.pass(Duration.ofMinutes(11));
        assertThat(mode()).isEqualTo("normal");
        array.volume("afterwards", "16M");
    }

    private Path ballast(int mebibytes) throws IOException {
        var file = array.targetProcessFile().resolveSibling("ballast");
        return Files.write(file, new byte[mebibytes << 20]);
    }

    private void protect(Map<String, Integer> thresholds) {
        array.api()
                .post("/pools/" + ArrayUnderTest.POOL + "/update_protection.json", thresholds)
                .done();
    }

    private String mode() {
        return String.valueOf(pool().get("mode"));
    }

    private Map<?, ?> pool() {
        return array.api().get("/pools.json").done().list("pools").getFirst();
    }

    private String create(String name) {
        return array.api()
                .post("/volumes.json", Map.of("name", name, "capacity", "16M", "block", "YES"))
                .message();
    }

    private String snapshot(String volume) {
        var group =
                array.api().get("/volumes/" + volume + ".json").object("volume").get("cg_name");
        return array.api()
                .post("/consistency_groups/" + group + "/snapshots.json", Map.of("display_name", "any"))
                .message();
    }
}
