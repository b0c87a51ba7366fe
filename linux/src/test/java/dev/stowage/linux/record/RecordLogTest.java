package dev.stowage.linux.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.linux.command.Commands;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.testing.Scratch;
import dev.stowage.linux.testing.Volume;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecordLogTest {
    @AfterEach
    void stopObserving() {
        Effects.observe(null);
    }

    @Test
    void whatWasCommittedIsThereAfterReopening() throws Exception {
        try (var scratch = new Scratch()) {
            var file = scratch.path("log");
            try (var log = RecordLog.open(file, "test")) {
                assertThat(log.takeInitial()).isEmpty();
                log.commit(List.of(put("a", "1"), put("b", "2"), put("empty", "")));
                log.commit(List.of(put("a", "3"), new Change.Remove("b"), new Change.Remove("never was")));
                log.commit(List.of());
            }
            assertThat(read(file)).isEqualTo(Map.of("a", "3", "empty", ""));
        }
    }

    @Test
    void aSecondProcessIsKeptOutAndToldWhoIsInside() throws Exception {
        try (var scratch = new Scratch()) {
            var file = scratch.path("log");
            try (var log = RecordLog.open(file, "the first one")) {
                log.commit(List.of(put("a", "1")));
                assertThatThrownBy(() -> RecordLog.open(file, "the second one"))
                        .isInstanceOf(RecordLogException.class)
                        .hasMessageContaining(file.toString())
                        .hasMessageContaining("pid " + ProcessHandle.current().pid())
                        .hasMessageContaining("the first one");
                log.commit(List.of(put("b", "2")));
            }
            assertThat(read(file)).containsOnlyKeys("a", "b");
        }
    }

    @Test
    void aTornLastWriteIsDroppedWhereverItTore() throws Exception {
        try (var scratch = new Scratch()) {
            var file = scratch.path("log");
            try (var log = RecordLog.open(file, "test")) {
                log.commit(List.of(put("a", "1")));
            }
            var before = trimmed(file);
            try (var log = RecordLog.open(file, "test")) {
                log.commit(List.of(put("a", "2"), put("b", "2")));
            }
            var after = trimmed(file);
            for (int length = before.length; length <= after.length; length++) {
                var torn = Arrays.copyOf(after, length);
                var expected = length == after.length ? Map.of("a", "2", "b", "2") : Map.of("a", "1");
                Files.write(file, torn);
                assertThat(read(file)).as("cut at " + length).isEqualTo(expected);
                Files.write(file, Arrays.copyOf(torn, after.length + 1000));
                assertThat(read(file)).as("zeros from " + length).isEqualTo(expected);
                if (length > before.length && length < after.length) {
                    var lateHalf = after.clone();
                    Arrays.fill(lateHalf, before.length, length, (byte) 0);
                    Files.write(file, lateHalf);
                    // The first bytes of a length are zero anyway.
                    assertThat(read(file))
                            .as("only the end from " + length)
                            .isEqualTo(Arrays.equals(lateHalf, after) ? Map.of("a", "2", "b", "2") : Map.of("a", "1"));
                }
            }
            try (var log = RecordLog.open(file, "test")) {
                log.commit(List.of(put("c", "3")));
            }
            assertThat(read(file)).containsKey("c");
        }
    }

    @Test
    void aDamagedRecordBeforeSoundOnesIsRefusedAndNothingIsChanged() throws Exception {
        try (var scratch = new Scratch()) {
            var file = scratch.path("log");
            try (var log = RecordLog.open(file, "test")) {
                for (int i = 0; i < 5; i++) {
                    log.commit(List.of(put("key" + i, "value" + i)));
                }
            }
            var sound = Files.readAllBytes(file);
            var frame = (trimmed(file).length - Frame.HEADER) / 5;
            for (int position = 0; position < Frame.HEADER + frame * 4; position++) {
                var damaged = sound.clone();
                damaged[position] ^= 0x10;
                Files.write(file, damaged);
                assertThatThrownBy(() -> RecordLog.open(file, "test"))
                        .as("byte " + position)
                        .isInstanceOf(RecordLogException.class)
                        .hasMessageContaining(file.toString())
                        .hasMessageContaining("offset")
                        .hasMessageContaining("Nothing was changed");
                assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
            }
        }
    }

    @Test
    void concurrentCommitsAreAllKeptAndShareWrites() throws Exception {
        try (var scratch = new Scratch();
                var executor = Executors.newFixedThreadPool(16)) {
            var file = scratch.path("log");
            var commits = new AtomicInteger();
            Effects.observe(counting("record", commits));
            try (var log = RecordLog.open(file, "test")) {
                var tasks = new ArrayList<Callable<Void>>();
                for (int i = 0; i < 16; i++) {
                    var thread = i;
                    tasks.add(() -> {
                        for (int j = 0; j < 50; j++) {
                            log.commit(List.of(put(thread + "/" + j, "x"), put(thread + "/last", "" + j)));
                        }
                        return null;
                    });
                }
                for (var result : executor.invokeAll(tasks)) {
                    result.get();
                }
            }
            assertThat(commits.get()).isEqualTo(16 * 50);
            assertThat(writes(file)).isLessThan(16 * 50);
            var records = read(file);
            assertThat(records).hasSize(16 * 51).containsEntry("7/last", "49");
        }
    }

    @Test
    void theFileIsRewrittenWhenMostOfItIsOutOfDate() throws Exception {
        try (var scratch = new Scratch()) {
            var file = scratch.path("log");
            var value = "v".repeat(20_000);
            try (var log = RecordLog.open(file, "test")) {
                log.commit(List.of(put("kept", "forever")));
                for (int i = 0; i < 400; i++) {
                    log.commit(List.of(put("key" + i % 3, i + value)));
                }
                log.commit(List.of(put("last", "one")));
            }
            assertThat(Files.size(file)).isLessThan(2 << 20);
            assertThat(read(file))
                    .containsEntry("kept", "forever")
                    .containsEntry("last", "one")
                    .containsEntry("key0", 399 + value)
                    .hasSize(5);
            assertThat(scratch.directory().names()).containsExactlyInAnyOrder("log", "log.lock");
        }
    }

    /** Stands for the process ending just there: nothing after it is done. */
    private static final class Crash extends Error {}

    @Test
    void aCrashAtAnyStepOfARewriteLosesNothing() throws Exception {
        var value = "v".repeat(100_000);
        for (int point = 0; ; point++) {
            try (var scratch = new Scratch()) {
                var file = scratch.path("log");
                var expected = new TreeMap<String, String>();
                var log = RecordLog.open(file, "test");
                var crashed = false;
                try {
                    for (int i = 0; i < 10; i++) {
                        log.commit(List.of(put("k" + i % 2, i + value), put("n" + i, "" + i)));
                        expected.put("k" + i % 2, i + value);
                        expected.put("n" + i, "" + i);
                    }
                    Effects.observe(crashingAt(point));
                    log.commit(List.of(put("k1", value), put("final", "yes")));
                } catch (Crash crash) {
                    crashed = true;
                } finally {
                    Effects.observe(null);
                    log.close();
                }
                var records = new TreeMap<>(read(file));
                if (records.containsKey("final")) {
                    expected.put("k1", value);
                    expected.put("final", "yes");
                }
                assertThat(records).as("crash at point " + point).isEqualTo(expected);
                if (!crashed) {
                    assertThat(records).containsKey("final");
                    assertThat(Files.size(file)).isLessThan(1 << 20);
                    assertThat(point).isGreaterThan(10);
                    return;
                }
            }
        }
    }

    @Test
    void afterAFailedWriteNothingMoreIsAccepted() throws Exception {
        try (var volume = new Volume(FilesystemType.XFS, 300 * Volume.MIB)) {
            var file = volume.mountPoint().resolve("log");
            try (var log = RecordLog.open(file, "test")) {
                log.commit(List.of(put("a", "1")));
                Commands.run(
                                Duration.ofSeconds(20),
                                "xfs_io",
                                "-x",
                                "-c",
                                "shutdown",
                                volume.mountPoint().toString())
                        .orThrow();
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> log.commit(List.of(put("b", "2"))))
                            .isInstanceOf(RecordLogException.class)
                            .hasMessageContaining(file.toString())
                            .hasMessageContaining("EIO")
                            .hasMessageContaining("no more records until the process is started again");
                }
            }
        }
    }

    @Test
    void aCrashBeforeOrAfterACommitIsNotAFailureOfTheLog() throws Exception {
        try (var scratch = new Scratch();
                var log = RecordLog.open(scratch.path("log"), "test")) {
            for (int point = 0; point < 2; point++) {
                Effects.observe(crashingAt(point));
                assertThatThrownBy(() -> log.commit(List.of(put("a", "1")))).isInstanceOf(Crash.class);
                Effects.observe(null);
            }
            log.commit(List.of(put("b", "2")));
        }
    }

    @Test
    void aFullFilesystemRefusesARecordAndTakesItWhenThereIsRoom() throws Exception {
        try (var volume = new Volume(FilesystemType.EXT4, 16 * Volume.MIB)) {
            var file = volume.mountPoint().resolve("log");
            var ballast = volume.mountPoint().resolve("ballast");
            try (var log = RecordLog.open(file, "test")) {
                log.commit(List.of(put("a", "1")));
                try (var out = Files.newOutputStream(ballast)) {
                    while (true) {
                        out.write(new byte[4096]);
                    }
                } catch (IOException full) {
                    assertThat(full).hasMessageContaining("space");
                }
                var large = "x".repeat(600_000);
                assertThatThrownBy(() -> log.commit(List.of(put("b", large))))
                        .isInstanceOf(RecordLogException.class)
                        .hasMessageContaining("full")
                        .hasMessageContaining(file.toString());
                log.commit(List.of(put("small", "fits in what was made ready")));
                Files.delete(ballast);
                log.commit(List.of(put("b", large)));
            }
            assertThat(read(file)).containsOnlyKeys("a", "b", "small");
        }
    }

    @Test
    void aCommitWithAnImpossibleKeyChangesNothing() throws Exception {
        try (var scratch = new Scratch()) {
            var file = scratch.path("log");
            try (var log = RecordLog.open(file, "test")) {
                assertThatThrownBy(() -> log.commit(List.of(put("good", "1"), put("k".repeat(70_000), "2"))))
                        .isInstanceOf(IllegalArgumentException.class);
                log.commit(List.of(put("other", "3")));
            }
            assertThat(read(file)).isEqualTo(Map.of("other", "3"));
        }
    }

    @Test
    void tenThousandRecordsOpenQuickly() throws Exception {
        try (var scratch = new Scratch()) {
            var file = scratch.path("log");
            try (var log = RecordLog.open(file, "test")) {
                for (int batch = 0; batch < 100; batch++) {
                    var changes = new ArrayList<Change>();
                    for (int i = 0; i < 100; i++) {
                        changes.add(put("volume/" + batch + "/" + i, "v".repeat(300)));
                    }
                    log.commit(changes);
                }
            }
            var best = Long.MAX_VALUE;
            for (int round = 0; round < 10; round++) {
                var start = System.nanoTime();
                try (var log = RecordLog.open(file, "test")) {
                    best = Math.min(best, System.nanoTime() - start);
                    assertThat(log.takeInitial()).hasSize(10_000);
                }
            }
            assertThat(best).isLessThan(100_000_000L);
        }
    }

    private static Effects.Observer counting(String wanted, AtomicInteger count) {
        return new Effects.Observer() {
            @Override
            public void before(String kind, String detail) {
                if (kind.equals(wanted)) {
                    count.incrementAndGet();
                }
            }

            @Override
            public void after(String kind, String detail) {}
        };
    }

    private static Effects.Observer crashingAt(int point) {
        var passed = new AtomicInteger();
        return new Effects.Observer() {
            @Override
            public void before(String kind, String detail) {
                crashIfReached();
            }

            @Override
            public void after(String kind, String detail) {
                crashIfReached();
            }

            private void crashIfReached() {
                if (passed.getAndIncrement() >= point) {
                    throw new Crash();
                }
            }
        };
    }

    private static int writes(Path file) throws IOException {
        var content = ByteBuffer.wrap(Files.readAllBytes(file));
        int frames = 0;
        for (int at = Frame.HEADER; Frame.validAt(content, Frame.salt(content), at); frames++) {
            at += Frame.OVERHEAD + content.getInt(at);
        }
        return frames;
    }

    private static Change put(String key, String value) {
        return new Change.Put(key, value.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, String> read(Path file) {
        try (var log = RecordLog.open(file, "reader")) {
            var texts = new TreeMap<String, String>();
            log.takeInitial().forEach((key, value) -> texts.put(key, new String(value, StandardCharsets.UTF_8)));
            return texts;
        }
    }

    /** Without the zeros that are kept ready at the end. */
    private static byte[] trimmed(Path file) throws IOException {
        var content = Files.readAllBytes(file);
        int end = content.length;
        while (content[end - 1] == 0) {
            end--;
        }
        return Arrays.copyOf(content, end);
    }
}
