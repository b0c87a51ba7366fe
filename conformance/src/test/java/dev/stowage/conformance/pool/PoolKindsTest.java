package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.DeleteSnapshotRequest;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PoolKindsTest {

    private static final byte[] DATA = new byte[(int) (8 * Claim.MIB)];

    static {
        new Random(42).nextBytes(DATA);
    }

    enum Kind {
        DIRECTORY_ON_EXT4(false),
        DIRECTORY_ON_XFS(true),
        DIRECTORY_ON_BTRFS(true),
        IMAGE_IN_A_DIRECTORY(true),
        DISK(true);

        private final boolean sharesBlocks;

        Kind(boolean sharesBlocks) {
            this.sharesBlocks = sharesBlocks;
        }

        Rig start() {
            return Rig.prepared((workspace, media) -> switch (this) {
                case DIRECTORY_ON_EXT4 -> in(media.filesystem("ext4", "host", 4 * Claim.GIB));
                case DIRECTORY_ON_XFS -> in(media.filesystem("xfs", "host", 4 * Claim.GIB));
                case DIRECTORY_ON_BTRFS -> in(media.filesystem("btrfs", "host", 4 * Claim.GIB));
                case IMAGE_IN_A_DIRECTORY -> options -> options.sharingBlocks("2Gi");
                case DISK -> {
                    Path disk = media.disk("disk.img", 4 * Claim.GIB);
                    yield options -> options.pool(disk)
                            .with(
                                    "--pool-mount-dir",
                                    workspace.root().resolve("disks").toString());
                }
            });
        }

        private static UnaryOperator<RunningDriver.Options> in(Path directory) {
            return options -> options.pool(directory.resolve("pool"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void snapshotsAndClonesAreIndependentOfTheirSource(Kind kind) throws IOException {
        try (var rig = kind.start()) {
            var source = rig.claim("source", 64 * Claim.MIB, CsiClient.mounted("ext4"));
            Path mounted = source.use("pod");
            // Not synced by the writer: the snapshot has to see to it.
            Files.write(mounted.resolve("data"), DATA);
            var snapshot = source.snapshot("snap");
            assertThat(sharesBlocks(rig, snapshot.getSnapshotId()))
                    .as("whether the snapshot shares blocks with the volume")
                    .isEqualTo(kind.sharesBlocks);
            Files.writeString(mounted.resolve("data"), "overwritten after the snapshot");
            var restored = copy(rig, "restored", ofSnapshot(snapshot.getSnapshotId()));
            var cloned = copy(rig, "cloned", ofVolume(source.id()));

            assertThat(restored.use("pod").resolve("data")).hasBinaryContent(DATA);
            assertThat(cloned.use("pod").resolve("data")).hasContent("overwritten after the snapshot");
            Files.writeString(restored.target("pod").resolve("data"), "written to the restored volume");
            Files.writeString(cloned.target("pod").resolve("data"), "written to the clone");
            assertThat(mounted.resolve("data")).hasContent("overwritten after the snapshot");

            source.release("pod");
            source.delete();
            var again = copy(rig, "again", ofSnapshot(snapshot.getSnapshotId()));
            rig.csi()
                    .controller()
                    .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                            .setSnapshotId(snapshot.getSnapshotId())
                            .build());
            assertThat(again.use("pod").resolve("data")).hasBinaryContent(DATA);
            assertThat(restored.target("pod").resolve("data")).hasContent("written to the restored volume");
            assertThat(cloned.target("pod").resolve("data")).hasContent("written to the clone");
            for (var claim : List.of(restored, cloned, again)) {
                claim.release("pod");
                claim.delete();
            }
            assertThat(files(rig)).isEmpty();
        }
    }

    private static Claim copy(Rig rig, String name, VolumeContentSource source) {
        var capability = CsiClient.mounted("ext4");
        var volume = rig.csi()
                .controller()
                .createVolume(Claim.request(name, 64 * Claim.MIB, capability, Map.of()).toBuilder()
                        .setVolumeContentSource(source)
                        .build())
                .getVolume();
        return new Claim(rig.csi(), rig.workspace(), volume, capability);
    }

    static VolumeContentSource ofSnapshot(String id) {
        return VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(id))
                .build();
    }

    static VolumeContentSource ofVolume(String id) {
        return VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(id))
                .build();
    }

    private static boolean sharesBlocks(Rig rig, String file) {
        Path path = files(rig).stream()
                .filter(candidate -> Objects.requireNonNull(candidate.getFileName())
                        .toString()
                        .equals(file))
                .findAny()
                .orElseThrow();
        return Workspace.run("filefrag", "-v", path.toString()).contains("shared");
    }

    /** The volumes and snapshots in the pool, wherever it is. */
    private static List<Path> files(Rig rig) {
        try (var walk = Files.walk(rig.workspace().root())) {
            return walk.filter(path -> path.getParent() != null
                            && (path.getParent().endsWith("volumes")
                                    || path.getParent().endsWith("snapshots")))
                    .toList();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
