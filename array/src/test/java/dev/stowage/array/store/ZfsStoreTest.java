package dev.stowage.array.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.array.testing.ZfsPool;
import dev.stowage.core.error.StowageException;
import dev.stowage.linux.command.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ZfsStoreTest {

    private static final long MIB = 1L << 20;

    private static ZfsPool pool;
    private ZfsStore store;

    @BeforeAll
    static void start() throws IOException {
        pool = new ZfsPool();
    }

    @AfterAll
    static void stop() throws IOException {
        pool.close();
    }

    @BeforeEach
    void open() {
        store = ZfsStore.open(pool.dataset());
    }

    @AfterEach
    void nothingIsLeft() {
        store.close();
        assertThat(pool.content()).isEqualTo(pool.dataset() + "\n");
    }

    private void write(String id, String text) throws IOException {
        try (var channel = Files.newByteChannel(store.path(id), StandardOpenOption.WRITE)) {
            channel.write(StandardCharsets.UTF_8.encode(text));
        }
    }

    private String read(String id, int length) throws IOException {
        try (var stream = Files.newInputStream(store.path(id))) {
            return new String(stream.readNBytes(length), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aVolumeIsAFileThatTakesNoRoomUntilItIsWrittenAndGrows() throws IOException {
        store.create("one", 200 * MIB);
        assertThat(Files.size(store.path("one"))).isEqualTo(200 * MIB);
        assertThat(store.allocatedBytes("one")).isLessThan(MIB);
        store.grow("one", 300 * MIB);
        store.grow("one", 100 * MIB);
        assertThat(Files.size(store.path("one"))).isEqualTo(300 * MIB);
        assertThat(store.room().freeBytes())
                .isPositive()
                .isLessThanOrEqualTo(store.room().totalBytes());
        assertThat(store.allocatedBytes("none")).isZero();
        store.remove("one");
        store.remove("one");
    }

    @Test
    void copiesAreIndependentOfEachOtherInWhicheverOrderTheyGo() throws IOException {
        store.create("source", 10 * MIB);
        write("source", "first");
        store.copy("source", "early");
        write("source", "later");
        store.copy("source", "late");
        store.copy("late", "grandchild");
        write("early", "early");

        store.remove("source");
        assertThat(read("early", 5)).isEqualTo("early");
        assertThat(read("late", 5)).isEqualTo("later");
        store.remove("late");
        assertThat(read("grandchild", 5)).isEqualTo("later");
        store.copy("grandchild", "late");
        store.remove("grandchild");
        store.remove("early");
        assertThat(read("late", 5)).isEqualTo("later");
        store.remove("late");
    }

    @Test
    void whatACrashLeftIsTakenAsUnfinished() throws IOException {
        store.create("source", 10 * MIB);
        write("source", "before");
        Commands.run(Duration.ofMinutes(1), "zfs", "snapshot", pool.dataset() + "/source@copy-half")
                .orThrow();
        write("source", "after!");
        store.copy("source", "half");
        assertThat(read("half", 6)).isEqualTo("after!");
        store.remove("half");

        Commands.run(Duration.ofMinutes(1), "zfs", "snapshot", pool.dataset() + "/source@copy-never")
                .orThrow();
        Commands.run(Duration.ofMinutes(1), "zfs", "unmount", pool.dataset() + "/source")
                .orThrow();
        try (var again = ZfsStore.open(pool.dataset())) {
            assertThat(Files.exists(again.path("source"))).isTrue();
        }
        assertThat(pool.content()).doesNotContain("copy-never");
        store.remove("source");
    }

    @Test
    void aDatasetThatIsNoneIsToldByName() {
        assertThatThrownBy(() -> ZfsStore.open(pool.dataset() + "/none"))
                .isInstanceOf(StowageException.class)
                .hasMessageContaining(pool.dataset() + "/none");
        assertThatThrownBy(() -> ZfsStore.open("-r")).isInstanceOf(StowageException.InvalidRequest.class);
    }
}
