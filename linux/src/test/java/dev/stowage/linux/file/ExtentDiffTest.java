package dev.stowage.linux.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.testing.Volume;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranges are compared with the truth, byte by byte, after random writes on filesystems that share blocks and one that cannot. */
class ExtentDiffTest {
    private static final int SIZE = 8 << 20;
    private static final int ROUNDS = 12;

    private record Range(long offset, long length) {}

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aChangedByteIsNeverMissed(FilesystemType type) throws Exception {
        var seed = new Random().nextLong();
        try (var volume = new Volume(type, 400 * Volume.MIB)) {
            volume.directory().create(".reflink-left-by-a-crash").close();
            assertThat(Reflink.supported(volume.directory())).isEqualTo(type != FilesystemType.EXT4);
            assertThat(volume.directory().names()).noneMatch(name -> name.startsWith(".reflink"));
            for (int round = 0; round < ROUNDS; round++) {
                compareOnce(
                        volume.directory(),
                        type != FilesystemType.EXT4,
                        new Random(seed + round),
                        "seed " + seed + " round " + round);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = FilesystemType.class,
            names = {"XFS", "BTRFS"})
    void oneChangedMebibyteOfManyIsReportedAsAtMostTwo(FilesystemType type) throws Exception {
        try (var volume = new Volume(type, 600 * Volume.MIB);
                var base = volume.directory().create("base");
                var target = volume.directory().create("target")) {
            var random = new Random(1);
            for (int i = 0; i < 64; i++) {
                base.write(ByteBuffer.wrap(randomBytes(random, 1 << 20)), (long) i << 20);
            }
            target.cloneFrom(base);
            target.write(ByteBuffer.wrap(randomBytes(random, 1 << 20)), (20 << 20) + 12345);
            var ranges = changed(base, target, 0);
            assertThat(ranges.stream().mapToLong(Range::length).sum()).isBetween(1L << 20, 2L << 20);
        }
    }

    @Test
    void dataThatIsStillInMemoryOnlyIsSeen() throws Exception {
        try (var volume = new Volume(FilesystemType.XFS, 400 * Volume.MIB);
                var base = volume.directory().create("base");
                var target = volume.directory().create("target")) {
            base.write(ByteBuffer.wrap(randomBytes(new Random(2), 1 << 20)), 0);
            base.sync();
            target.cloneFrom(base);
            target.sync();
            target.write(ByteBuffer.wrap(new byte[] {42, 43}), 500_000);
            assertThat(changed(base, target, 0))
                    .anyMatch(range -> range.offset() <= 500_000 && range.offset() + range.length() > 500_001);
        }
    }

    @Test
    void identicalFilesHaveNoChangesAndExtentsAreListed() throws Exception {
        try (var volume = new Volume(FilesystemType.XFS, 400 * Volume.MIB);
                var base = volume.directory().create("base");
                var target = volume.directory().create("target")) {
            base.truncate(100 << 20);
            for (int i = 0; i < 600; i++) {
                base.write(ByteBuffer.wrap(new byte[] {1}), i * 128L * 1024);
            }
            target.cloneFrom(base);
            assertThat(changed(base, target, 0)).isEmpty();
            var extents = Extents.of(base);
            assertThat(extents).hasSizeGreaterThanOrEqualTo(600);
            assertThat(extents).allMatch(Extent::shared);
            assertThat(target.unshare(0, 100 << 20)).isTrue();
            assertThat(changed(base, target, 0)).isEmpty();
        }
    }

    @Test
    void aConsumerMayStopTheStream() throws Exception {
        try (var volume = new Volume(FilesystemType.EXT4, 64 * Volume.MIB);
                var file = volume.directory().create("file")) {
            file.write(ByteBuffer.wrap(new byte[] {1}), 0);
            assertThatThrownBy(() -> ExtentDiff.allocated(file, 0, (offset, length) -> {
                        throw new IllegalStateException("enough");
                    }))
                    .hasMessage("enough");
        }
    }

    private static void compareOnce(Directory directory, boolean reflink, Random random, String hint) {
        try (var base = directory.create("base");
                var target = directory.create("target")) {
            var size = SIZE - random.nextInt(3) * 1111;
            base.truncate(size);
            scribble(base, random, size, 20);
            if (reflink) {
                target.cloneFrom(base);
            } else {
                SparseCopy.copy(base, target, (done, total) -> {});
            }
            assertThat(content(target)).as(hint).isEqualTo(content(base));
            if (random.nextInt(4) == 0) {
                target.truncate(size + random.nextInt(1 << 20));
            } else if (random.nextInt(4) == 0) {
                target.truncate(size - random.nextInt(1 << 20));
            }
            scribble(target, random, (int) target.size(), random.nextInt(12));
            if (random.nextBoolean()) {
                scribble(base, random, size, 2);
            }
            var from = random.nextInt(3) == 0 ? random.nextInt(size) : 0;
            check(base, target, from, hint);
            checkAllocated(target, from, hint);
        } finally {
            directory.unlink("base");
            directory.unlink("target");
        }
    }

    private static void check(FileHandle base, FileHandle target, int from, String hint) {
        var before = content(base);
        var after = content(target);
        var rebuilt = Arrays.copyOf(before, after.length);
        var ranges = changed(base, target, from);
        long end = from;
        var first = true;
        for (var range : ranges) {
            assertThat(range.length()).as(hint).isPositive();
            assertThat(range.offset()).as(hint).isGreaterThanOrEqualTo(first ? end : end + 1);
            end = range.offset() + range.length();
            assertThat(end).as(hint).isLessThanOrEqualTo(after.length);
            System.arraycopy(after, (int) range.offset(), rebuilt, (int) range.offset(), (int) range.length());
            first = false;
        }
        if (from < after.length) {
            assertThat(Arrays.mismatch(rebuilt, from, after.length, after, from, after.length))
                    .as(hint)
                    .isEqualTo(-1);
        }
    }

    private static void checkAllocated(FileHandle file, int from, String hint) {
        var content = content(file);
        var rebuilt = new byte[content.length];
        ExtentDiff.allocated(
                file,
                from,
                (offset, length) -> System.arraycopy(content, (int) offset, rebuilt, (int) offset, (int) length));
        if (from < content.length) {
            assertThat(Arrays.mismatch(rebuilt, from, content.length, content, from, content.length))
                    .as(hint)
                    .isEqualTo(-1);
        }
    }

    private static void scribble(FileHandle file, Random random, int size, int times) {
        for (int i = 0; i < times; i++) {
            var offset = random.nextInt(size);
            var length = 1 + random.nextInt(Math.min(size - offset, random.nextBoolean() ? 100 : 300_000));
            switch (random.nextInt(8)) {
                case 0 -> file.punch(offset, length);
                case 1 -> file.allocate(offset, length);
                case 2 -> file.sync();
                case 3 -> file.write(ByteBuffer.wrap(new byte[length]), offset);
                default -> file.write(ByteBuffer.wrap(randomBytes(random, length)), offset);
            }
        }
    }

    private static byte[] randomBytes(Random random, int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static List<Range> changed(FileHandle base, FileHandle target, long from) {
        var ranges = new ArrayList<Range>();
        ExtentDiff.changed(base, target, from, (offset, length) -> ranges.add(new Range(offset, length)));
        return ranges;
    }

    private static byte[] content(FileHandle file) {
        var buffer = ByteBuffer.allocate((int) file.size());
        while (buffer.hasRemaining()) {
            assertThat(file.read(buffer, buffer.position())).isPositive();
        }
        return buffer.array();
    }
}
