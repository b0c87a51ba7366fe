package dev.stowage.conformance.safety;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.FaultyDisk;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.conformance.pool.Rig;
import io.grpc.Status;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule 4: a volume is formatted only when nothing was ever on it, and that is known because it was read. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FormatGateTest {

    private static final long SIZE = 128 * Claim.MIB;

    private final AtomicReference<FaultyDisk> disk = new AtomicReference<>();
    private final Rig rig = Rig.prepared((workspace, media) -> {
        disk.set(FaultyDisk.create(workspace, media, Claim.GIB));
        return options -> options.pool(disk().device())
                .with("--pool-mount-dir", workspace.root().resolve("disks").toString());
    });

    private FaultyDisk disk() {
        return Objects.requireNonNull(disk.get());
    }

    @AfterAll
    void end() throws IOException {
        disk().mend();
        rig.close();
    }

    private Path file(Claim claim) throws IOException {
        try (var found = Files.find(
                rig.workspace().root().resolve("disks"),
                3,
                (path, attributes) -> path.endsWith("volumes/" + claim.id()))) {
            return found.findAny().orElseThrow();
        }
    }

    private static void write(Path file, long offset, byte[] content) throws IOException {
        try (var opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.seek(offset);
            opened.write(content);
        }
    }

    private static byte[] noise(int length) {
        byte[] noise = new byte[length];
        new Random(length).nextBytes(noise);
        return noise;
    }

    /** Stages a volume whose file must be the same afterwards, byte for byte. */
    private void assertNotFormatted(Claim claim, Status.Code code, String reason) throws IOException {
        Path file = file(claim);
        Path before = rig.workspace().root().resolve("before");
        Workspace.run("cp", "--sparse=always", file.toString(), before.toString());
        claim.attach();
        Refused.with(code, claim::stage).contains(claim.id()).contains(reason);
        Workspace.run("cmp", before.toString(), file.toString());
        assertThat(rig.workspace().loops())
                .noneMatch(loop -> Workspace.run(
                                "losetup", "--list", "--noheadings", "--output", "BACK-FILE", loop.toString())
                        .contains(claim.id()));
        claim.detach();
        claim.delete();
        Files.delete(before);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 511, 4097, 65_536, 999_999, 64L << 20, SIZE - 4096})
    void aVolumeThatHoldsAnythingIsNotFormatted(long offset) throws IOException {
        var claim = rig.claim("foreign-" + offset, SIZE, CsiClient.mounted("ext4"));
        write(file(claim), offset, noise(512));
        assertNotFormatted(claim, Status.Code.FAILED_PRECONDITION, "not blank");
    }

    @Test
    void halfAMegabyteOfGarbageAtAnOddPlaceIsNotFormatted() throws IOException {
        var claim = rig.claim("garbage", SIZE, CsiClient.mounted("btrfs"));
        write(file(claim), 333_333, noise(1 << 19));
        assertNotFormatted(claim, Status.Code.FAILED_PRECONDITION, "not blank");
    }

    @Test
    void anotherFilesystemThanTheOneWantedIsNotFormatted() throws IOException {
        var claim = rig.claim("other-type", SIZE, CsiClient.mounted("btrfs"));
        Workspace.run("mkfs.ext4", "-q", "-F", file(claim).toString());
        assertNotFormatted(claim, Status.Code.FAILED_PRECONDITION, "ext4");
    }

    @Test
    void aDeviceThatCannotBeReadIsNotTakenForBlank() throws IOException {
        var claim = rig.claim("unreadable", SIZE, CsiClient.mounted("ext4"));
        byte[] block = noise(4096);
        Path file = file(claim);
        write(file, 0, block);
        Workspace.run("sync", "-f", file.toString());
        disk().damage(block);
        claim.attach();
        Refused.with(Status.Code.UNAVAILABLE, claim::stage).contains(claim.id()).contains("cannot be read");
        disk().mend();
        // What kept it from being formatted was not luck: there was something on it.
        Refused.with(Status.Code.FAILED_PRECONDITION, claim::stage).contains("not blank");
        claim.detach();
        claim.delete();
    }

    @Test
    void aVolumeThatHadAFilesystemIsNotFormattedWhenItTurnsUpBlank() throws IOException {
        var claim = rig.claim("vanished", SIZE, CsiClient.mounted("ext4"));
        Files.writeString(claim.use("pod").resolve("note"), "precious");
        claim.release("pod");
        Path file = file(claim);
        Workspace.run("truncate", "-s", "0", file.toString());
        Workspace.run("truncate", "-s", "" + SIZE, file.toString());
        assertNotFormatted(claim, Status.Code.FAILED_PRECONDITION, "data loss suspected");
    }

    @Test
    void whatARawDeviceWasUsedForIsNotFormattedLater() throws IOException {
        var raw = rig.claim("raw-first", SIZE, CsiClient.block());
        Path device = raw.use("pod");
        // In the middle, where no signature would ever be looked for.
        write(device, 50 * Claim.MIB + 123, noise(100));
        Workspace.run("sync", device.toString());
        raw.release("pod");
        var claim = new Claim(raw.csi(), raw.workspace(), raw.volume(), CsiClient.mounted("ext4"));
        Path file = file(claim);
        Path before = rig.workspace().root().resolve("before");
        Workspace.run("cp", "--sparse=always", file.toString(), before.toString());
        claim.attach();
        Refused.with(Status.Code.FAILED_PRECONDITION, claim::stage).contains(claim.id());
        Workspace.run("cmp", before.toString(), file.toString());
        claim.detach();
        claim.delete();
    }
}
