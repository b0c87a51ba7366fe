package dev.stowage.conformance.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.BlockMetadata;
import csi.v1.BlockMetadataType;
import csi.v1.GetMetadataAllocatedRequest;
import csi.v1.GetMetadataAllocatedResponse;
import csi.v1.GetMetadataDeltaRequest;
import csi.v1.GetMetadataDeltaResponse;
import csi.v1.Snapshot;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One volume with data in eight separate places, of which three change between two snapshots. */
class ChangedBlocksTest {

    private static final int SIZE_MIB = 256;
    private static final long[] WRITTEN = {0, 10, 20, 30, 100, 150, 200, 255};
    private static final long[] CHANGED = {10, 60, 200};

    private static Workspace workspace;
    private static RunningDriver driver;
    private static Snapshot base;
    private static Snapshot target;
    private static Snapshot stranger;

    @BeforeAll
    static void takeTwoSnapshots() throws IOException {
        workspace = Workspace.create();
        driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start();
        var claim = Claim.create(driver.csi(), workspace, "raw", SIZE_MIB * Claim.MIB, CsiClient.block());
        var device = claim.use("pod");
        write(device, WRITTEN, (byte) 1);
        base = claim.snapshot("base");
        write(device, CHANGED, (byte) 2);
        target = claim.snapshot("target");
        claim.release("pod");
        stranger = Claim.create(driver.csi(), workspace, "other", Claim.MIB, CsiClient.block())
                .snapshot("stranger");
    }

    private static void write(Path device, long[] places, byte content) throws IOException {
        var mebibyte = new byte[(int) Claim.MIB];
        Arrays.fill(mebibyte, content);
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            for (long place : places) {
                channel.write(ByteBuffer.wrap(mebibyte), place * Claim.MIB);
            }
            channel.force(true);
        }
    }

    @AfterAll
    static void clear() {
        try (var _ = workspace;
                var running = driver) {
            Scene.clear(running.csi());
        }
    }

    private static Answer allocated(Snapshot snapshot, long from, int most) {
        return Rpc.call(
                driver.csi(),
                GetMetadataAllocatedRequest.newBuilder()
                        .setSnapshotId(snapshot.getSnapshotId())
                        .setStartingOffset(from)
                        .setMaxResults(most)
                        .build());
    }

    private static Answer delta(Snapshot from, Snapshot to, long offset, int most) {
        return Rpc.call(
                driver.csi(),
                GetMetadataDeltaRequest.newBuilder()
                        .setBaseSnapshotId(from.getSnapshotId())
                        .setTargetSnapshotId(to.getSnapshotId())
                        .setStartingOffset(offset)
                        .setMaxResults(most)
                        .build());
    }

    /** Every range of a whole answer, which must be in order and not overlap. */
    private static List<BlockMetadata> ranges(Answer answer) {
        assertThat(answer.code()).as(answer.toString()).isEqualTo(Code.OK);
        var ranges = new ArrayList<BlockMetadata>();
        for (var message : answer.messages()) {
            switch (message) {
                case GetMetadataAllocatedResponse part -> {
                    assertThat(part.getVolumeCapacityBytes()).isEqualTo(SIZE_MIB * Claim.MIB);
                    assertThat(part.getBlockMetadataType()).isEqualTo(BlockMetadataType.VARIABLE_LENGTH);
                    ranges.addAll(part.getBlockMetadataList());
                }
                case GetMetadataDeltaResponse part -> {
                    assertThat(part.getVolumeCapacityBytes()).isEqualTo(SIZE_MIB * Claim.MIB);
                    assertThat(part.getBlockMetadataType()).isEqualTo(BlockMetadataType.VARIABLE_LENGTH);
                    ranges.addAll(part.getBlockMetadataList());
                }
                default -> throw new AssertionError(message);
            }
        }
        long end = 0;
        for (var range : ranges) {
            assertThat(range.getSizeBytes()).isPositive();
            assertThat(range.getByteOffset()).isGreaterThanOrEqualTo(end);
            end = range.getByteOffset() + range.getSizeBytes();
        }
        assertThat(end).isLessThanOrEqualTo(SIZE_MIB * Claim.MIB);
        return ranges;
    }

    /** The mebibytes that the ranges touch. */
    private static BitSet mebibytes(List<BlockMetadata> ranges) {
        var touched = new BitSet();
        ranges.forEach(range -> touched.set((int) (range.getByteOffset() / Claim.MIB), (int)
                ((range.getByteOffset() + range.getSizeBytes() + Claim.MIB - 1) / Claim.MIB)));
        return touched;
    }

    private static BitSet places(long[]... all) {
        var places = new BitSet();
        for (long[] some : all) {
            Arrays.stream(some).forEach(place -> places.set((int) place));
        }
        return places;
    }

    @Test
    void whatWasWrittenIsAllocatedAndWhatWasNotIsNot() {
        assertThat(mebibytes(ranges(allocated(base, 0, 0)))).isEqualTo(places(WRITTEN));
        assertThat(mebibytes(ranges(allocated(target, 0, 0)))).isEqualTo(places(WRITTEN, CHANGED));
    }

    @Test
    void whatWasWrittenBetweenTwoSnapshotsHasChanged() {
        assertThat(mebibytes(ranges(delta(base, target, 0, 0)))).isEqualTo(places(CHANGED));
        assertThat(ranges(delta(base, base, 0, 0))).isEmpty();
    }

    @Test
    void aListingGoesOnWhereItIsToldTo() {
        for (long start : new long[] {0, 1, 15, 20, 199, 255}) {
            long from = start * Claim.MIB;
            var later = places(WRITTEN);
            later.clear(0, (int) start);
            var ranges = ranges(allocated(base, from, 0));
            assertThat(mebibytes(ranges)).as("from %d MiB", start).isEqualTo(later);
        }
        // In the middle of a range.
        long middle = 20 * Claim.MIB + Claim.MIB / 2;
        assertThat(ranges(allocated(base, middle, 0)).getFirst())
                .satisfies(range ->
                        assertThat(range.getByteOffset() + range.getSizeBytes()).isGreaterThan(middle));
    }

    /** That is where a caller goes on whose last range ended with the volume. */
    @Test
    void fromTheVeryEndThereIsNothingMore() {
        long end = SIZE_MIB * Claim.MIB;
        assertThat(ranges(allocated(base, end, 0))).isEmpty();
        assertThat(ranges(delta(base, target, end, 0))).isEmpty();
    }

    @Test
    void messagesHoldAtMostAsManyRangesAsAskedForAndSayTheSameTogether() {
        var whole = ranges(allocated(base, 0, 0));
        assertThat(whole).hasSizeGreaterThanOrEqualTo(WRITTEN.length);
        for (int most : new int[] {1, 3, 1000, Integer.MAX_VALUE}) {
            var answer = allocated(base, 0, most);
            assertThat(ranges(answer)).isEqualTo(whole);
            assertThat(answer.messages())
                    .allSatisfy(part -> assertThat(((GetMetadataAllocatedResponse) part).getBlockMetadataCount())
                            .isLessThanOrEqualTo(most));
        }
    }

    @Test
    void whatCannotBeListedIsRefused() {
        long end = SIZE_MIB * Claim.MIB;
        assertThat(allocated(base, end + 1, 0).code()).isEqualTo(Code.OUT_OF_RANGE);
        assertThat(allocated(base, Long.MAX_VALUE, 0).code()).isEqualTo(Code.OUT_OF_RANGE);
        assertThat(allocated(base, -1, 0).code()).isEqualTo(Code.OUT_OF_RANGE);
        assertThat(delta(base, target, end + 1, 0).code()).isEqualTo(Code.OUT_OF_RANGE);
        assertThat(delta(base, target, -1, 0).code()).isEqualTo(Code.OUT_OF_RANGE);
        assertThat(allocated(base, 0, -1).code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(delta(base, target, 0, -1).code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(delta(base, stranger, 0, 0).code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(delta(target, base, 0, 0).code()).isEqualTo(Code.INVALID_ARGUMENT);
        var unknown = base.toBuilder().setSnapshotId("snap-unknown").build();
        assertThat(allocated(unknown, 0, 0).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(delta(unknown, target, 0, 0).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(delta(base, unknown, 0, 0).code()).isEqualTo(Code.NOT_FOUND);
    }
}
