package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.testing.ArrayUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What initiators notice of the array's and the target's comings and goings. */
class RestartTest {

    private static final String IQN = "iqn.2026-01.test:restart";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path scratch;

    @Test
    void anInitiatorGoesOnWhileTheArrayIsDown() throws Exception {
        try (var array = new ArrayUnderTest()) {
            var volume = array.volume("kept", "64M");
            var server = array.server("kept", IQN);
            array.attach(server, volume);
            var initiator = array.initiator(volume, server, IQN);

            array.crash();
            var whileDown = initiator.io("write -P 9 0 1M", "flush");
            array.start();

            assertThat(whileDown.orThrow().stdout()).contains("wrote 1048576/1048576");
            assertThat(initiator.io("read -P 9 0 1M").orThrow().stdout()).doesNotContain("verification failed");
            assertThat(array.array().servers().connected(array.array().servers().find(server)))
                    .isFalse();
        }
    }

    @Test
    void aSessionOutlivesTheRestartOfTheArray() throws Exception {
        try (var array = new ArrayUnderTest()) {
            var volume = array.volume("session", "64M");
            var server = array.server("session", IQN);
            array.attach(server, volume);
            var process = array.initiator(volume, server, IQN)
                    .start(
                            List.of("write -P 1 0 1M", "sleep 3000", "write -P 2 1M 1M"),
                            scratch.resolve("output").toFile());
            await(() ->
                    array.array().servers().connected(array.array().servers().find(server)));

            array.crash();
            array.start();

            assertThat(process.waitFor()).isZero();
            assertThat(Files.readString(scratch.resolve("output"))).containsPattern("(?s)wrote 1048576.*wrote 1048576");
        }
    }

    @Test
    void afterAStopNothingIsServedAndAfterAStartEverythingIsAgain() throws Exception {
        try (var array = new ArrayUnderTest()) {
            var volume = array.volume("stopped", "64M");
            var server = array.server("stopped", IQN);
            array.attach(server, volume);
            var initiator = array.initiator(volume, server, IQN);
            initiator.io("write -P 4 0 1M").orThrow();

            array.stop();
            assertThat(initiator.io("read 0 512").exitCode()).isNotZero();
            array.start();

            assertThat(initiator.io("read -P 4 0 1M").orThrow().stdout()).doesNotContain("verification failed");
        }
    }

    @Test
    void aTargetThatDiesComesBackWithWhatItServed() throws Exception {
        try (var array = new ArrayUnderTest()) {
            var volume = array.volume("revived", "64M");
            var server = array.server("revived", IQN);
            array.attach(server, volume);
            var initiator = array.initiator(volume, server, IQN);
            initiator.io("write -P 6 0 1M", "flush").orThrow();

            long tgtd =
                    Long.parseLong(Files.readString(array.targetProcessFile()).strip());
            ProcessHandle.of(tgtd).orElseThrow().destroyForcibly();

            await(() -> initiator.io("read -P 6 0 1M").exitCode() == 0);
            array.api()
                    .post("/volumes/" + volume + "/detach.json", Map.of("servers", server))
                    .done();
        }
    }

    @Test
    void anIdIsNeverGivenOutAgain() throws IOException {
        try (var array = new ArrayUnderTest()) {
            var before = array.volume("first", "16M");
            array.api().delete("/volumes/" + before + ".json").done();
            array.api()
                    .delete("/volumes/" + before + "/delete_volume_from_recycle_bin.json")
                    .done();
            array.crash();
            array.start();

            assertThat(array.volume("second", "16M")).isGreaterThan(before);
        }
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(deadline);
            Thread.sleep(50);
        }
    }
}
