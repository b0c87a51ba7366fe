package dev.stowage.conformance.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.BlockMetadata;
import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.GetMetadataAllocatedRequest;
import csi.v1.GetMetadataDeltaRequest;
import csi.v1.Snapshot;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Rig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a backup program does: it reads the allocated ranges once, then only what changed. */
class SnapshotMetadataTest {

    private static final long SIZE = Claim.GIB;
    private static final long GROWN = SIZE + 64 * Claim.MIB;

    enum Kind {
        XFS,
        BTRFS,
        EXT4;

        Rig start() {
            return Rig.prepared((workspace, media) -> {
                Path directory = media.filesystem(name().toLowerCase(Locale.ROOT), "host", 8 * Claim.GIB);
                return options -> options.pool(directory.resolve("pool"));
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aVolumeIsRebuiltFromABaseAndItsDeltas(Kind kind) throws IOException {
        try (var rig = kind.start()) {
            var claim = rig.claim("volume", SIZE, CsiClient.block());
            var random = new Random(17);
            edit(claim, device -> {
                for (int i = 0; i < 16; i++) {
                    write(device, random, i * 64 * Claim.MIB + i * 4096, 2 * Claim.MIB);
                }
            });
            var first = snapshot(rig, claim, "first");
            edit(claim, device -> write(device, random, 200 * Claim.MIB + 12_288, Claim.MIB));
            var second = snapshot(rig, claim, "second");
            grow(rig, claim);
            edit(claim, device -> {
                write(device, random, 64 * Claim.MIB + 4096 + 512, 100);
                write(device, random, 333 * Claim.MIB, 300_000);
                discard(device, 128 * Claim.MIB, Claim.MIB);
                write(device, random, SIZE + Claim.MIB, Claim.MIB);
            });
            var third = snapshot(rig, claim, "third");

            assertThat(bytes(changed(rig, first, second)))
                    .as("what 1 MiB changed in 1 GiB is reported as")
                    .isBetween(Claim.MIB, 2 * Claim.MIB);
            assertThat(changed(rig, second, second)).isEmpty();
            assertThat(bytes(allocated(rig, first))).isBetween(32 * Claim.MIB, 40 * Claim.MIB);

            Path rebuilt = rig.media().file("rebuilt", SIZE);
            rebuild(rig, first, allocated(rig, first), rebuilt);
            rebuild(rig, second, changed(rig, first, second), rebuilt);
            Workspace.run("truncate", "-s", "" + GROWN, rebuilt.toString());
            rebuild(rig, third, changed(rig, second, third), rebuilt);

            var fromTheMiddle = rig.csi()
                    .metadata()
                    .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                            .setBaseSnapshotId(second.getSnapshotId())
                            .setTargetSnapshotId(third.getSnapshotId())
                            .setStartingOffset(300 * Claim.MIB)
                            .setMaxResults(1)
                            .build());
            var rest = new ArrayList<BlockMetadata>();
            fromTheMiddle.forEachRemaining(answer -> {
                assertThat(answer.getBlockMetadataCount()).isLessThanOrEqualTo(1);
                assertThat(answer.getVolumeCapacityBytes()).isEqualTo(GROWN);
                rest.addAll(answer.getBlockMetadataList());
            });
            assertThat(rest)
                    .isNotEmpty()
                    .allMatch(range -> range.getByteOffset() + range.getSizeBytes() > 300 * Claim.MIB);
        }
    }

    private interface Edit {
        void apply(Path device) throws IOException;
    }

    private static void edit(Claim claim, Edit edit) throws IOException {
        edit.apply(claim.use("pod"));
        claim.release("pod");
    }

    private static void write(Path device, Random random, long offset, long length) throws IOException {
        byte[] noise = new byte[(int) length];
        random.nextBytes(noise);
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(noise), offset);
            channel.force(true);
        }
    }

    private static void discard(Path device, long offset, long length) {
        Workspace.run("blkdiscard", "--offset", "" + offset, "--length", "" + length, device.toString());
    }

    private static Snapshot snapshot(Rig rig, Claim claim, String name) {
        return claim.through(rig.csi()).snapshot(name);
    }

    private static void grow(Rig rig, Claim claim) {
        var size = CapacityRange.newBuilder().setRequiredBytes(GROWN);
        rig.csi()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setCapacityRange(size)
                        .build());
    }

    private static List<BlockMetadata> allocated(Rig rig, Snapshot snapshot) {
        var ranges = new ArrayList<BlockMetadata>();
        rig.csi()
                .metadata()
                .getMetadataAllocated(GetMetadataAllocatedRequest.newBuilder()
                        .setSnapshotId(snapshot.getSnapshotId())
                        .build())
                .forEachRemaining(answer -> ranges.addAll(answer.getBlockMetadataList()));
        assertAscending(ranges);
        return ranges;
    }

    private static List<BlockMetadata> changed(Rig rig, Snapshot base, Snapshot target) {
        var ranges = new ArrayList<BlockMetadata>();
        rig.csi()
                .metadata()
                .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                        .setBaseSnapshotId(base.getSnapshotId())
                        .setTargetSnapshotId(target.getSnapshotId())
                        .build())
                .forEachRemaining(answer -> ranges.addAll(answer.getBlockMetadataList()));
        assertAscending(ranges);
        return ranges;
    }

    private static void assertAscending(List<BlockMetadata> ranges) {
        long end = 0;
        for (BlockMetadata range : ranges) {
            assertThat(range.getByteOffset()).isGreaterThanOrEqualTo(end);
            assertThat(range.getSizeBytes()).isPositive();
            end = range.getByteOffset() + range.getSizeBytes();
        }
    }

    private static long bytes(List<BlockMetadata> ranges) {
        return ranges.stream().mapToLong(BlockMetadata::getSizeBytes).sum();
    }

    /** Reads the ranges from a volume made from the snapshot, and nothing else; then both must be the same all over. */
    private static void rebuild(Rig rig, Snapshot snapshot, List<BlockMetadata> ranges, Path backup)
            throws IOException {
        var restored = restored(rig, snapshot);
        edit(restored, device -> {
            try (var from = FileChannel.open(device, StandardOpenOption.READ);
                    var to = FileChannel.open(backup, StandardOpenOption.WRITE)) {
                for (BlockMetadata range : ranges) {
                    long at = range.getByteOffset();
                    long end = at + range.getSizeBytes();
                    to.position(at);
                    while (at < end) {
                        at += from.transferTo(at, end - at, to);
                    }
                }
            }
            Workspace.run("cmp", backup.toString(), device.toString());
        });
        restored.delete();
    }

    private static Claim restored(Rig rig, Snapshot snapshot) {
        var volume = rig.csi()
                .controller()
                .createVolume(
                        Claim.request("of-" + snapshot.getSnapshotId(), 0, CsiClient.block(), Map.of()).toBuilder()
                                .setVolumeContentSource(VolumeContentSource.newBuilder()
                                        .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                                .setSnapshotId(snapshot.getSnapshotId())))
                                .build())
                .getVolume();
        return new Claim(rig.csi(), rig.workspace(), volume, CsiClient.block());
    }
}
