package dev.stowage.linux.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.testing.Scratch;
import dev.stowage.linux.testing.Volume;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class SparseCopyTest {
    @Test
    void aCopyWithinAFilesystemAndAcrossTwoIsEqualAndSparse() throws Exception {
        try (var scratch = new Scratch();
                var volume = new Volume(FilesystemType.EXT4, 128 * Volume.MIB);
                var from = scratch.directory().create("from");
                var near = scratch.directory().create("near");
                var far = volume.directory().create("far")) {
            from.truncate((64 << 20) + 7);
            from.write(ByteBuffer.wrap(pattern(20 << 20)), 10 << 20);
            from.write(ByteBuffer.wrap(pattern(7)), 64 << 20);
            far.write(ByteBuffer.wrap(pattern(100_000)), 0);
            for (var to : new FileHandle[] {near, far}) {
                var steps = new ArrayList<Long>();
                SparseCopy.copy(from, to, (done, total) -> {
                    steps.add(done);
                    assertThat(done).isLessThanOrEqualTo(total);
                });
                assertThat(Files.mismatch(from.path(), to.path())).isEqualTo(-1);
                assertThat(to.allocatedBytes()).isLessThan(22 << 20);
                assertThat(steps).isSorted().hasSizeGreaterThan(3);
                assertThat(steps.getLast()).isGreaterThanOrEqualTo(20 << 20);
            }
        }
    }

    @Test
    void progressMayStopTheCopy() throws Exception {
        try (var scratch = new Scratch();
                var from = scratch.directory().create("from");
                var to = scratch.directory().create("to")) {
            from.write(ByteBuffer.wrap(pattern(20 << 20)), 0);
            assertThatThrownBy(() -> SparseCopy.copy(from, to, (done, total) -> {
                        if (done > 0) {
                            throw new IllegalStateException("stopped at " + done);
                        }
                    }))
                    .hasMessageStartingWith("stopped at");
        }
    }

    private static byte[] pattern(int length) {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + 1);
        }
        return bytes;
    }
}
