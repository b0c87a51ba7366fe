package dev.stowage.conformance.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.Volume;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Rig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Snapshots and clones of volumes that are being written to, in a pool that shares blocks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MountedSnapshotTest {

    private final Rig rig = Rig.with(options -> options.sharingBlocks("4Gi").with("--freeze-limit", "1"));

    @AfterAll
    void end() {
        rig.close();
    }

    private Path file(String kind, String id) {
        return rig.workspace().root().resolve("pool/pool").resolve(kind).resolve(id);
    }

    @ParameterizedTest
    @CsvSource({"ext4, e2fsck -f -n", "xfs, xfs_repair -n", "btrfs, btrfs check"})
    void aSnapshotHoldsAllThatWasWrittenBeforeAndIsWhole(String filesystem, String check) throws IOException {
        var claim = rig.claim("written-" + filesystem, 300 * Claim.MIB, CsiClient.mounted(filesystem));
        Path mounted = claim.use("pod");
        try (var ledger = new Ledgers(List.of(mounted))) {
            for (int i = 0; i < 200; i++) {
                Files.writeString(mounted.resolve("file-" + i), "content of " + i);
            }
            var snapshot = claim.snapshot("of-" + filesystem);
            var restored = restored(claim, snapshot.getSnapshotId());
            Path path = restored.use("reader");
            for (int i = 0; i < 200; i++) {
                assertThat(path.resolve("file-" + i)).hasContent("content of " + i);
            }
            assertThat(Ledgers.read(path)).isPositive();
            restored.release("reader");
            // Only now: xfs leaves its log to be replayed by the first mount.
            var program = new ArrayList<>(List.of(check.split(" ")));
            program.add(file("volumes", restored.id()).toString());
            Workspace.run(program.toArray(String[]::new));
            restored.delete();
        }
        claim.release("pod");
        claim.delete();
    }

    private Claim restored(Claim claim, String snapshot) {
        Volume volume = rig.csi()
                .controller()
                .createVolume(Claim.request("of-" + snapshot, 0, claim.capability(), Map.of()).toBuilder()
                        .setVolumeContentSource(VolumeContentSource.newBuilder()
                                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                        .setSnapshotId(snapshot)))
                        .build())
                .getVolume();
        return new Claim(rig.csi(), rig.workspace(), volume, claim.capability());
    }

    @Test
    void aSnapshotOfARawDeviceInUseHoldsAllThatWasWrittenBefore() throws IOException {
        var claim = rig.claim("raw", 32 * Claim.MIB, CsiClient.block());
        Path device = claim.use("pod");
        byte[] data = "written to the cache only".getBytes(StandardCharsets.US_ASCII);
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(data), 5 * Claim.MIB);
            var snapshot = claim.snapshot("of-raw");
            channel.write(ByteBuffer.allocate(data.length), 5 * Claim.MIB);
            channel.force(true);
            try (var copy = FileChannel.open(file("snapshots", snapshot.getSnapshotId()))) {
                var read = ByteBuffer.allocate(data.length);
                copy.read(read, 5 * Claim.MIB);
                assertThat(read.array()).isEqualTo(data);
            }
        }
        claim.release("pod");
        claim.delete();
    }

    /** Giving a thick clone blocks of its own takes as long as a copy; its source's writers must not wait for it. */
    @Test
    void aThickCloneOfAMountedVolumeHoldsItsWritersUpForAMomentOnly() throws IOException {
        var claim = rig.claim("busy", 300 * Claim.MIB, CsiClient.mounted("xfs"));
        Path effects = rig.workspace().root().resolve("effects");
        rig.restart(options -> options.environment("STOWAGE_EFFECTS_LOG", effects.toString()));
        try (var ledger = new Ledgers(List.of(claim.through(rig.csi()).use("pod")))) {
            thickClone(claim).delete();
            int thickening = EffectCount.upTo(effects, "CreateVolume", "allocate", 1);
            rig.restart(options -> options.environment("STOWAGE_STALL_AT", "CreateVolume:" + thickening));
            int before = rig.driver().log().length();
            thickClone(claim).delete();
            assertThat(rig.driver().log().substring(before)).doesNotContain("lasted longer");
            assertThat(ledger.written()).isPositive();
        }
        rig.restart();
        claim.through(rig.csi()).release("pod");
        claim.through(rig.csi()).delete();
    }

    private Claim thickClone(Claim claim) {
        Volume volume = rig.csi()
                .controller()
                .createVolume(
                        Claim.request("thick-clone", 0, claim.capability(), Map.of("provisioning", "thick")).toBuilder()
                                .setVolumeContentSource(VolumeContentSource.newBuilder()
                                        .setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                                .setVolumeId(claim.id())))
                                .build())
                .getVolume();
        return new Claim(rig.csi(), rig.workspace(), volume, claim.capability());
    }
}
