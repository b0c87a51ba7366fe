package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.testing.ArrayUnderTest;
import dev.stowage.array.testing.Initiator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the confirmation on, not a byte of a server that was fenced reaches the volume. */
class FenceTest {

    private static final String WRITER = "iqn.2026-01.test:writer";
    private static final int REGION = 4 << 20;
    private static final byte OURS = (byte) 0xee;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path scratch;

    @RepeatedTest(5)
    void aServerThatKeepsWritingWritesNothingAfterTheConfirmation() throws Exception {
        try (var array = new ArrayUnderTest()) {
            var volume = array.volume("fenced", "64M");
            var server = array.server("writer", WRITER);
            array.attach(server, volume);
            var writer = write(array.initiator(volume, server, WRITER));
            try {
                awaitWrites(array.file(volume));

                array.api()
                        .post("/volumes/" + volume + "/detach.json", Map.of("servers", server, "force", "YES"))
                        .done();
                fill(array.file(volume));

                // The writer is still there and tries to come back.
                assertThat(writer.waitFor(Duration.ofSeconds(3))).isFalse();
                assertThat(allOurs(array.file(volume))).isTrue();
            } finally {
                writer.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void withoutForceAServerThatWritesKeepsItsVolume() throws Exception {
        try (var array = new ArrayUnderTest()) {
            var volume = array.volume("used", "64M");
            var server = array.server("writer", WRITER);
            array.attach(server, volume);
            var writer = write(array.initiator(volume, server, WRITER));
            try {
                awaitWrites(array.file(volume));
                var deleted = array.api().delete("/volumes/" + volume + ".json");

                assertThat(deleted.message()).contains("attached").contains(server);
                assertThat(array.api().delete("/servers/" + server + ".json").message())
                        .contains(volume);
            } finally {
                writer.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void theOtherVolumesOfAFencedServerGoOn() throws Exception {
        try (var array = new ArrayUnderTest()) {
            var fenced = array.volume("fenced", "64M");
            var kept = array.volume("kept", "64M");
            var server = array.server("writer", WRITER);
            array.attach(server, fenced);
            array.attach(server, kept);
            var writer = write(array.initiator(fenced, server, WRITER));
            try {
                awaitWrites(array.file(fenced));
                array.api()
                        .post("/volumes/" + fenced + "/detach.json", Map.of("servers", server, "force", "YES"))
                        .done();

                var other = array.initiator(kept, server, WRITER).io("write -P 3 0 1M", "read -P 3 0 1M");

                assertThat(other.orThrow().stdout()).contains("wrote 1048576/1048576");
            } finally {
                writer.destroyForcibly().waitFor();
            }
        }
    }

    /** Writes with several requests in flight at any time, for longer than any test takes. */
    private Process write(Initiator initiator) throws IOException {
        var commands = Collections.nCopies(
                2_000,
                Arrays.asList(
                        "aio_write -q -P 1 0 1M",
                        "aio_write -q -P 1 1M 1M",
                        "aio_write -q -P 1 2M 1M",
                        "write -q -P 1 3M 1M"));
        return initiator.start(
                commands.stream().flatMap(each -> each.stream()).toList(),
                scratch.resolve("writer").toFile());
    }

    private static void awaitWrites(Path file) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (content(file)[REGION - 1] != 1) {
            assertThat(System.nanoTime()).as("the writer never wrote").isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    /** As somebody who has the volume now would write. */
    private static void fill(Path file) throws IOException {
        var ours = new byte[REGION];
        Arrays.fill(ours, OURS);
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(ours), 0);
        }
    }

    private static boolean allOurs(Path file) throws IOException {
        for (byte each : content(file)) {
            if (each != OURS) {
                return false;
            }
        }
        return true;
    }

    private static byte[] content(Path file) throws IOException {
        try (var stream = Files.newInputStream(file)) {
            return stream.readNBytes(REGION);
        }
    }
}
