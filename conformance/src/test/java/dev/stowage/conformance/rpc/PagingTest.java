package dev.stowage.conformance.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerListVolumeHealthRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.VolumeHealth;
import csi.v1.VolumeHealthErrorType;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PagingTest {

    private static final int THINGS = 20;
    private static final int PAGE = 3;

    private record Part(List<String> ids, String next) {}

    private interface Listing {
        Part page(int most, String token);
    }

    @Test
    void volumesThatStayAreListedOnceWhileOthersComeAndGo() {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).start()) {
            var csi = driver.csi();
            IntStream.range(0, THINGS).forEach(i -> volume(csi, workspace, "pvc-" + i));
            listWhileThingsComeAndGo(
                    (most, token) -> volumes(csi, most, token),
                    id -> csi.controller()
                            .deleteVolume(DeleteVolumeRequest.newBuilder()
                                    .setVolumeId(id)
                                    .build()),
                    name -> volume(csi, workspace, name));
            Scene.clear(csi);
        }
    }

    @Test
    void snapshotsThatStayAreListedOnceWhileOthersComeAndGo() {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).start()) {
            var csi = driver.csi();
            var claim = volume(csi, workspace, "pvc");
            var other = volume(csi, workspace, "other");
            IntStream.range(0, THINGS).forEach(i -> claim.snapshot("snapshot-" + i));
            other.snapshot("of-another");
            listWhileThingsComeAndGo(
                    (most, token) -> snapshots(csi, claim, most, token),
                    id -> csi.controller()
                            .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                                    .setSnapshotId(id)
                                    .build()),
                    claim::snapshot);
            Scene.clear(csi);
        }
    }

    /** Between any two pages the last one that was listed goes, and a new one comes. */
    private static void listWhileThingsComeAndGo(Listing listing, Consumer<String> delete, Consumer<String> create) {
        var before = new TreeSet<>(listing.page(0, "").ids());
        var gone = new HashSet<String>();
        var listed = new ArrayList<String>();
        String token = "";
        int round = 0;
        do {
            var part = listing.page(PAGE, token);
            assertThat(part.ids()).hasSizeLessThanOrEqualTo(PAGE);
            assertThat(listing.page(PAGE, token)).as("the same token again").isEqualTo(part);
            listed.addAll(part.ids());
            token = part.next();
            if (!part.ids().isEmpty()) {
                delete.accept(part.ids().getLast());
                gone.add(part.ids().getLast());
            }
            create.accept("new-" + round++);
        } while (!token.isEmpty() && round < 10 * THINGS);
        assertThat(listed).doesNotHaveDuplicates().containsAll(before);
        assertThat(token).isEmpty();
        // What is listed from the start now is what is there now.
        assertThat(listing.page(0, "").ids()).doesNotContainAnyElementsOf(gone);
    }

    @Test
    void ailingVolumesAreListedInPagesAndOnlyThey() throws IOException {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).start()) {
            var csi = driver.csi();
            var all = IntStream.range(0, THINGS)
                    .mapToObj(i -> volume(csi, workspace, "pvc-" + i).id())
                    .sorted()
                    .toList();
            var files = workspace.root().resolve("pool/volumes");
            var ailing = IntStream.range(0, THINGS)
                    .filter(i -> i % 2 == 0)
                    .mapToObj(all::get)
                    .toList();
            for (String id : ailing) {
                Files.move(files.resolve(id), files.resolve("away-" + id));
            }
            assertThat(ailing(csi, PAGE)).extracting(VolumeHealth::getVolumeId).containsExactlyElementsOf(ailing);
            assertThat(ailing(csi, 0))
                    .allSatisfy(volume -> assertThat(volume.getHealthStatusesList())
                            .anySatisfy(status ->
                                    assertThat(status.getStatus()).isEqualTo(VolumeHealthErrorType.DATA_LOSS)));
            for (String id : ailing) {
                Files.move(files.resolve("away-" + id), files.resolve(id));
            }
            assertThat(ailing(csi, PAGE)).isEmpty();
            Scene.clear(csi);
        }
    }

    private static List<VolumeHealth> ailing(CsiClient csi, int most) {
        var ailing = new ArrayList<VolumeHealth>();
        String token = "";
        do {
            var part = csi.controller()
                    .controllerListVolumeHealth(ControllerListVolumeHealthRequest.newBuilder()
                            .setMaxEntries(most)
                            .setStartingToken(token)
                            .build());
            ailing.addAll(part.getEntriesList());
            token = part.getNextToken();
        } while (!token.isEmpty());
        return ailing;
    }

    private static Claim volume(CsiClient csi, Workspace workspace, String name) {
        return Claim.create(csi, workspace, name, Claim.MIB, CsiClient.block());
    }

    private static Part volumes(CsiClient csi, int most, String token) {
        var part = csi.controller()
                .listVolumes(ListVolumesRequest.newBuilder()
                        .setMaxEntries(most)
                        .setStartingToken(token)
                        .build());
        return new Part(
                part.getEntriesList().stream()
                        .map(entry -> entry.getVolume().getVolumeId())
                        .toList(),
                part.getNextToken());
    }

    private static Part snapshots(CsiClient csi, Claim claim, int most, String token) {
        var part = csi.controller()
                .listSnapshots(ListSnapshotsRequest.newBuilder()
                        .setSourceVolumeId(claim.id())
                        .setMaxEntries(most)
                        .setStartingToken(token)
                        .build());
        return new Part(
                part.getEntriesList().stream()
                        .map(entry -> entry.getSnapshot().getSnapshotId())
                        .toList(),
                part.getNextToken());
    }
}
