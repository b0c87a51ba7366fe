package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.VolumeUsage;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilesystemParametersTest {

    private final Rig rig = Rig.sharingBlocks();

    @AfterAll
    void end() {
        rig.close();
    }

    private static String mount(Path path) {
        return Workspace.run("findmnt", "--noheadings", "--output", "FSTYPE,OPTIONS", "--mountpoint", path.toString());
    }

    @Test
    void optionsOfAnExt4FilesystemTakeEffect() {
        var claim = rig.claim(
                "ext4",
                64 * Claim.MIB,
                CsiClient.mounted("ext4", "noatime"),
                Map.of("mkfsOptions", "-I 512 -m 0", "mountOptions", "nodiratime,commit=30"));
        Path path = claim.use("pod");
        assertThat(mount(path)).contains("ext4", "noatime", "commit=30");
        String device = rig.workspace().loops().stream()
                .map(Path::toString)
                .filter(loop -> Workspace.run("losetup", "--list", "--noheadings", "--output", "BACK-FILE", loop)
                        .contains(claim.id()))
                .findAny()
                .orElseThrow();
        assertThat(Workspace.run("dumpe2fs", "-h", device)).containsPattern("Inode size:\\s+512\\b");
        claim.release("pod");
        claim.delete();
    }

    @Test
    void optionsOfAnXfsFilesystemTakeEffect() {
        var claim = rig.claim(
                "xfs",
                300 * Claim.MIB,
                CsiClient.mounted(""),
                Map.of("fsType", "xfs", "mkfsOptions", "-i size=1024", "mountOptions", "noatime,allocsize=1m"));
        Path path = claim.use("pod");
        assertThat(mount(path)).contains("xfs", "noatime", "allocsize=1024k");
        assertThat(Workspace.run("xfs_info", path.toString())).contains("isize=1024");
        claim.release("pod");
        claim.delete();
    }

    @Test
    void optionsOfABtrfsFilesystemTakeEffect() {
        var claim = rig.claim(
                "btrfs",
                256 * Claim.MIB,
                CsiClient.mounted("btrfs"),
                Map.of("mkfsOptions", "--csum sha256", "mountOptions", "compress=zstd"));
        Path path = claim.use("pod");
        assertThat(mount(path)).contains("btrfs", "compress=zstd");
        claim.release("pod");
        claim.delete();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mkfsOptions  | -d /etc                 | ext4",
                "mkfsOptions  | -E root_owner=0:0 /dev/sda | ext4",
                "mkfsOptions  | -l logdev=/dev/sda      | xfs",
                "mkfsOptions  | --rootdir /etc          | btrfs",
                "mountOptions | errors=panic            | ext4",
                "mountOptions | journal_path=/dev/sda   | ext4",
                "mountOptions | logdev=/dev/sda         | xfs",
                "mountOptions | bind                    | xfs",
                "mountOptions | device=/dev/sda         | btrfs",
                "fsType       | ntfs                    | ''",
                "readAheadKiB | many                    | ext4",
                "fstype       | ext4                    | ''"
            })
    void parametersThatAreNotAllowedAreRefusedWhenTheVolumeIsMade(String key, String value, String filesystem) {
        Refused.with(
                        Status.Code.INVALID_ARGUMENT,
                        () -> rig.claim("refused", Claim.GIB, CsiClient.mounted(filesystem), Map.of(key, value)))
                .isNotBlank();
        assertThat(rig.workspace().root().resolve("pool/pool/volumes")).isDirectoryNotContaining("glob:**refused*");
    }

    @Test
    void aMountFlagThatIsNotAllowedIsRefused() {
        Refused.with(
                        Status.Code.INVALID_ARGUMENT,
                        () -> rig.claim("refused", Claim.GIB, CsiClient.mounted("xfs", "rbind")))
                .contains("rbind");
    }

    @Test
    void usageCountsBytesAndInodes() throws IOException {
        var claim = rig.claim("usage", 64 * Claim.MIB, CsiClient.mounted("ext4"));
        Path path = claim.use("pod");
        var before = usage(claim, VolumeUsage.Unit.INODES);
        for (int i = 0; i < 10; i++) {
            Files.write(path.resolve("file-" + i), new byte[(int) Claim.MIB]);
        }
        Workspace.run("sync", "-f", path.toString());
        var inodes = usage(claim, VolumeUsage.Unit.INODES);
        assertThat(inodes.getUsed()).isEqualTo(before.getUsed() + 10);
        assertThat(inodes.getUsed() + inodes.getAvailable()).isEqualTo(inodes.getTotal());
        var bytes = usage(claim, VolumeUsage.Unit.BYTES);
        assertThat(bytes.getUsed()).isBetween(10 * Claim.MIB, 20 * Claim.MIB);
        assertThat(bytes.getTotal()).isBetween(40 * Claim.MIB, 64 * Claim.MIB);
        claim.release("pod");
        claim.delete();
    }

    private VolumeUsage usage(Claim claim, VolumeUsage.Unit unit) {
        return rig
                .csi()
                .node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setVolumePath(claim.target("pod").toString())
                        .build())
                .getUsageList()
                .stream()
                .filter(usage -> usage.getUnit() == unit)
                .findAny()
                .orElseThrow();
    }
}
