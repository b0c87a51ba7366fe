package dev.stowage.conformance.health;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerListVolumeHealthRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.NodeGetStorageHealthRequest;
import csi.v1.NodeGetVolumeHealthRequest;
import csi.v1.VolumeHealth;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.conformance.pool.FaultyDisk;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.conformance.pool.Rig;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Every health answer, of the controller and of the node, while its cause comes and goes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VolumeHealthTest {

    private final AtomicReference<FaultyDisk> disk = new AtomicReference<>();
    private final Rig rig = Rig.prepared((workspace, media) -> {
        disk.set(FaultyDisk.create(workspace, media, 512 * Claim.MIB));
        return options -> options.pool(disk().device())
                .with("--pool-mount-dir", workspace.root().resolve("disks").toString(), "--pool-reserve", "50Mi");
    });
    private final Claim filesystem = rig.claim("filesystem", 64 * Claim.MIB, CsiClient.mounted("ext4"));
    private final Claim raw = rig.claim("raw", 400 * Claim.MIB, CsiClient.block());
    private final Claim idle = rig.claim("idle", 32 * Claim.MIB, CsiClient.block());
    private final Path mounted = filesystem.use("pod");
    private final Path device = raw.use("pod");

    private FaultyDisk disk() {
        return Objects.requireNonNull(disk.get());
    }

    @AfterAll
    void end() throws IOException {
        disk().mend();
        filesystem.release("pod");
        raw.release("pod");
        rig.close();
    }

    private static List<String> reasons(VolumeHealth health) {
        return health.getHealthStatusesList().stream()
                .map(entry -> {
                    assertThat(entry.getMessage()).isNotBlank();
                    return entry.getStatus() + " " + entry.getReason();
                })
                .toList();
    }

    private List<String> byController(Claim claim) {
        var health = rig.csi()
                .controller()
                .controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .build())
                .getVolumeHealth();
        assertThat(health.getVolumeId()).isEqualTo(claim.id());
        return reasons(health);
    }

    private List<String> byListing(Claim claim) {
        return rig
                .csi()
                .controller()
                .controllerListVolumeHealth(ControllerListVolumeHealthRequest.getDefaultInstance())
                .getEntriesList()
                .stream()
                .filter(health -> health.getVolumeId().equals(claim.id()))
                .flatMap(health -> reasons(health).stream())
                .toList();
    }

    private List<String> byNode(Claim claim) {
        return reasons(rig.csi()
                .node()
                .nodeGetVolumeHealth(NodeGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setVolumePublishPath(claim.target("pod").toString())
                        .setStagingTargetPath(claim.staging().toString())
                        .build())
                .getVolumeHealth());
    }

    private List<String> ofStorage() {
        return rig
                .csi()
                .node()
                .nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance())
                .getBackendHealthList()
                .stream()
                .map(entry -> entry.getStatus() + " " + entry.getReason())
                .toList();
    }

    private void allAgree(Claim claim, String... reasons) {
        assertThat(byController(claim)).containsExactlyInAnyOrder(reasons);
        assertThat(byListing(claim)).containsExactlyInAnyOrder(reasons);
        assertThat(byNode(claim)).containsExactlyInAnyOrder(reasons);
    }

    private Path file(Claim claim) throws IOException {
        try (var found = Files.find(
                rig.workspace().root().resolve("disks"),
                3,
                (path, attributes) -> path.endsWith("volumes/" + claim.id()))) {
            return found.findAny().orElseThrow();
        }
    }

    @Test
    void aBackingFileThatIsGoneIsDataLossUntilItIsBack() throws IOException {
        allAgree(filesystem);
        Path file = file(filesystem);
        Path aside = file.resolveSibling("aside");
        Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
        try {
            allAgree(filesystem, "DATA_LOSS BackingFileMissing");
            allAgree(raw);
            assertThat(ofStorage()).isEmpty();
        } finally {
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        }
        allAgree(filesystem);
    }

    @Test
    void anIdleVolumeIsLookedAtByTheControllerAlone() throws IOException {
        assertThat(byController(idle)).isEmpty();
        Path file = file(idle);
        Workspace.run("truncate", "-s", "1M", file.toString());
        assertThat(byController(idle)).containsExactly("DATA_LOSS BackingFileTruncated");
        assertThat(byListing(idle)).containsExactly("DATA_LOSS BackingFileTruncated");
        Workspace.run("truncate", "-s", "32M", file.toString());
        assertThat(byController(idle)).isEmpty();
        assertThat(byListing(idle)).isEmpty();
        Refused.with(Status.Code.NOT_FOUND, () -> byNode(idle)).contains(idle.id());
    }

    @Test
    void aFullPoolDegradesEveryVolumeUntilThereIsRoom() throws IOException {
        allAgree(raw);
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            byte[] noise = new byte[(int) (8 * Claim.MIB)];
            new Random(7).nextBytes(noise);
            for (long at = Claim.MIB; available() > 0; at += noise.length) {
                channel.write(ByteBuffer.wrap(noise), at);
                channel.force(true);
            }
        }
        allAgree(raw, "DEGRADED PoolFull");
        allAgree(filesystem, "DEGRADED PoolFull");
        assertThat(ofStorage()).containsExactly("STORAGE_DEGRADED PoolFull");
        Workspace.run("blkdiscard", "--offset", "" + Claim.MIB, device.toString());
        Eventually.assertThat(() -> assertThat(ofStorage()).isEmpty());
        allAgree(raw);
        allAgree(filesystem);
    }

    private long available() {
        return rig.csi()
                .controller()
                .getCapacity(GetCapacityRequest.getDefaultInstance())
                .getAvailableCapacity();
    }

    @Test
    void aDeviceThatReturnsErrorsMakesItsVolumeInaccessibleUntilItIsMended() throws IOException {
        byte[] block = new byte[4096];
        new Random(11).nextBytes(block);
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(block), 0);
            channel.force(true);
        }
        allAgree(raw);
        disk().damage(block);
        allAgree(raw, "INACCESSIBLE DeviceErrors");
        allAgree(filesystem);
        disk().mend();
        allAgree(raw);
    }

    @Test
    void aPoolWhoseDiskReturnsErrorsIsDegradedUntilItIsMended() throws IOException {
        disk().damage("stowage local pool");
        assertThat(ofStorage()).containsExactly("STORAGE_DEGRADED PoolErrors");
        allAgree(filesystem, "DEGRADED PoolErrors");
        disk().mend();
        assertThat(ofStorage()).isEmpty();
        allAgree(filesystem);
    }

    @Test
    void aMountThatTurnedReadOnlyIsDegradedUntilItIsWritableAgain() throws IOException {
        Workspace.run("mount", "-o", "remount,ro", filesystem.staging().toString());
        try {
            allAgree(filesystem, "DEGRADED MountReadOnly");
            allAgree(raw);
        } finally {
            Workspace.run("mount", "-o", "remount,rw", filesystem.staging().toString());
        }
        allAgree(filesystem);
        Files.writeString(mounted.resolve("note"), "writable");
    }

    @Test
    void aRawDeviceThatTurnedReadOnlyIsDegradedUntilItIsWritableAgain() {
        Workspace.run("blockdev", "--setro", device.toString());
        try {
            allAgree(raw, "DEGRADED DeviceReadOnly");
        } finally {
            Workspace.run("blockdev", "--setrw", device.toString());
        }
        allAgree(raw);
    }
}
