package dev.stowage.conformance.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.Snapshot;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import csi.v1.VolumeGroupSnapshot;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.conformance.pool.Rig;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupSnapshotTest {

    private static final String CALL = "CreateVolumeGroupSnapshot";

    private static VolumeGroupSnapshot group(Rig rig, String name, Claim... claims) {
        return rig.csi()
                .groups()
                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName(name)
                        .addAllSourceVolumeIds(
                                List.of(claims).stream().map(Claim::id).toList())
                        .build())
                .getGroupSnapshot();
    }

    private static void delete(Rig rig, VolumeGroupSnapshot group) {
        rig.csi()
                .groups()
                .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(group.getGroupSnapshotId())
                        .addAllSnapshotIds(group.getSnapshotsList().stream()
                                .map(Snapshot::getSnapshotId)
                                .toList())
                        .build());
    }

    private static long ledgerIn(Rig rig, VolumeGroupSnapshot group, Claim source, VolumeCapability capability)
            throws IOException {
        String snapshot = group.getSnapshotsList().stream()
                .filter(member -> member.getSourceVolumeId().equals(source.id()))
                .findAny()
                .orElseThrow()
                .getSnapshotId();
        var volume = rig.csi()
                .controller()
                .createVolume(Claim.request("of-" + snapshot, 0, capability, Map.of()).toBuilder()
                        .setVolumeContentSource(VolumeContentSource.newBuilder()
                                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                        .setSnapshotId(snapshot)))
                        .build())
                .getVolume();
        var restored = new Claim(rig.csi(), rig.workspace(), volume, capability);
        long number = Ledgers.read(restored.use("reader"));
        restored.release("reader");
        restored.delete();
        return number;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs"})
    void noWriteFallsBetweenTwoMembers(String filesystem) throws IOException {
        try (var rig = Rig.sharingBlocks()) {
            var capability = CsiClient.mounted(filesystem);
            var first = rig.claim("first", 300 * Claim.MIB, capability);
            var second = rig.claim("second", 300 * Claim.MIB, capability);
            try (var ledgers = new Ledgers(List.of(first.use("pod"), second.use("pod")))) {
                for (int round = 0; round < 6; round++) {
                    long before = ledgers.written();
                    // In either order, because the order in which they are frozen must not matter.
                    var group = round % 2 == 0
                            ? group(rig, "group-" + round, first, second)
                            : group(rig, "group-" + round, second, first);
                    long ahead = ledgerIn(rig, group, first, capability);
                    long behind = ledgerIn(rig, group, second, capability);
                    assertThat(ahead - behind).as("%d and %d", ahead, behind).isBetween(0L, 1L);
                    assertThat(behind).as("what was written before the call").isGreaterThanOrEqualTo(before);
                    Eventually.assertThat(() -> assertThat(ledgers.written()).isGreaterThan(ahead));
                    delete(rig, group);
                }
            }
            first.release("pod");
            second.release("pod");
        }
    }

    @Test
    void aGroupThatCouldNotBeOfOneInstantIsRefusedWithTheReason() {
        try (var rig = Rig.copyingBlocks()) {
            var claim = rig.claim("copied", 32 * Claim.MIB, CsiClient.mounted("ext4"));
            Refused.with(Status.Code.FAILED_PRECONDITION, () -> group(rig, "group", claim))
                    .contains("cannot share blocks");
            assertNothingLeft(rig, rig.workspace().root().resolve("plain"));
        }
        try (var rig = Rig.sharingBlocks()) {
            var raw = rig.claim("raw", 32 * Claim.MIB, CsiClient.block());
            var mounted = rig.claim("mounted", 32 * Claim.MIB, CsiClient.mounted("ext4"));
            raw.use("pod");
            mounted.use("pod");
            Refused.with(Status.Code.FAILED_PRECONDITION, () -> group(rig, "group", mounted, raw))
                    .contains("raw device", raw.id());
            assertNothingLeft(rig, rig.workspace().root().resolve("pool/pool"));
            raw.release("pod");
            assertThat(group(rig, "group", mounted, raw).getSnapshotsList())
                    .as("a raw device that nobody uses holds still by itself")
                    .hasSize(2)
                    .allMatch(Snapshot::getReadyToUse);
            mounted.release("pod");
        }
    }

    private static void assertNothingLeft(Rig rig, Path pool) {
        assertThat(pool.resolve("snapshots")).isEmptyDirectory();
        assertThat(rig.csi()
                        .controller()
                        .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                        .getEntriesList())
                .isEmpty();
    }

    @Test
    void writersAreNotHeldUpLongerThanAllowedNorByADriverThatDied() throws IOException {
        UnaryOperator<RunningDriver.Options> options =
                some -> some.sharingBlocks("2Gi").with("--freeze-limit", "1");
        try (var rig = Rig.with(options)) {
            var capability = CsiClient.mounted("xfs");
            var first = rig.claim("first", 300 * Claim.MIB, capability);
            var second = rig.claim("second", 300 * Claim.MIB, capability);
            Path effects = rig.workspace().root().resolve("effects");
            rig.restart(some -> some.environment("STOWAGE_EFFECTS_LOG", effects.toString()));
            var watched = List.of(first.through(rig.csi()), second.through(rig.csi()));
            try (var ledgers =
                    new Ledgers(watched.stream().map(claim -> claim.use("pod")).toList())) {
                delete(rig, group(rig, "watched", first, second));
                int shared = EffectCount.upTo(effects, CALL, "clone", 1);
                int frozen = EffectCount.upTo(effects, CALL, "freeze", 2);

                rig.restart(some -> some.environment("STOWAGE_STALL_AT", CALL + ":" + shared));
                Refused.with(Status.Code.UNAVAILABLE, () -> group(rig, "stalled", first, second))
                        .contains("given up");
                assertGoesOn(ledgers);
                assertNothingLeft(rig, rig.workspace().root().resolve("pool/pool"));

                rig.restart(some -> some.environment("STOWAGE_CRASH_AT", CALL + ":" + frozen));
                Refused.with(Status.Code.UNAVAILABLE, () -> group(rig, "killed", first, second));
                rig.driver().await();
                assertThat(rig.driver().process().exitValue()).isEqualTo(128 + 9);
                assertStandsStill(ledgers);

                rig.restart();
                assertGoesOn(ledgers);
                assertThat(rig.driver().log()).contains("thawed its filesystem");
                assertNothingLeft(rig, rig.workspace().root().resolve("pool/pool"));
                delete(rig, group(rig, "killed", first, second));
            } finally {
                first.through(rig.csi()).release("pod");
                second.through(rig.csi()).release("pod");
            }
        }
    }

    private static void assertGoesOn(Ledgers ledgers) {
        long now = ledgers.written();
        Eventually.assertThat(() -> assertThat(ledgers.written()).isGreaterThan(now + 1));
    }

    private static void assertStandsStill(Ledgers ledgers) {
        Eventually.assertThat(() -> {
            long now = ledgers.written();
            Thread.sleep(500);
            assertThat(ledgers.written()).isEqualTo(now);
        });
    }
}
