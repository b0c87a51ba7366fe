package dev.stowage.backend.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolOwnerTest {

    @TempDir
    private Path directory;

    @Test
    void aPoolRemembersItsDriverAndRefusesEveryOther() throws IOException {
        try (var pool = Pool.open(directory, () -> {})) {
            PoolOwner.require(pool, "csi.weka.io");
            PoolOwner.record(pool, "csi.weka.io");
        }
        try (var pool = Pool.open(directory, () -> {})) {
            PoolOwner.require(pool, "csi.weka.io");
            assertThatThrownBy(() -> PoolOwner.require(pool, "csi.other.weka.io"))
                    .isInstanceOf(StowageException.NotPossible.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("'csi.weka.io'")
                    .hasMessageContaining("'csi.other.weka.io'")
                    .hasMessageContaining("a pool of its own");
            // To put a driver on record never takes the pool from another.
            PoolOwner.record(pool, "csi.other.weka.io");
        }
        assertThat(Files.readString(directory.resolve("stowage-driver"))).isEqualTo("csi.weka.io\n");
    }

    @Test
    void aPoolFromBeforeDriversWereOnRecordIsAnybodysUntilSomebodyServesIt() throws IOException {
        try (var pool = Pool.open(directory, () -> {})) {
            PoolOwner.require(pool, "one");
            PoolOwner.require(pool, "two");
            assertThat(directory.resolve("stowage-driver")).doesNotExist();
        }
    }

    @Test
    void aRecordThatWasInterruptedIsMadeAnew() throws IOException {
        try (var pool = Pool.open(directory, () -> {})) {
            Files.writeString(directory.resolve("stowage-driver.new"), "half");
            PoolOwner.require(pool, "one");
            PoolOwner.record(pool, "one");
        }
        assertThat(Files.readString(directory.resolve("stowage-driver"))).isEqualTo("one\n");
        assertThat(directory.resolve("stowage-driver.new")).doesNotExist();
    }
}
