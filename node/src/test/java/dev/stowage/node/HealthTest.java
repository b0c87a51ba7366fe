package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.core.backend.NodeVolumes.Place;
import dev.stowage.core.error.StowageException.NotFound;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.HealthIssue.Status;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HealthTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final TestNode node = new TestNode();

    @AfterEach
    void takeAway() {
        node.close();
    }

    private List<HealthIssue> issues(VolumeId volume) {
        return node.engine
                .health(new Place(volume, Optional.empty(), Optional.empty()))
                .issues();
    }

    private VolumeId published(FilesystemType type) {
        var volume = node.volume("v1", type);
        node.stage(volume, TestNode.filesystem(type));
        node.publish(volume, "pod", TestNode.filesystem(type), false);
        return volume;
    }

    private Path staging(VolumeId volume) {
        return TestNode.path(node.stagingPath(volume));
    }

    private static void run(String... arguments) {
        Commands.run(LIMIT, arguments).orThrow();
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aVolumeThatTurnedReadOnlyIsReportedUntilItIsWritableAgain(FilesystemType type) {
        var volume = published(type);
        assertThat(issues(volume)).isEmpty();
        run("mount", "-o", "remount,ro", staging(volume).toString());
        assertThat(issues(volume))
                .extracting(HealthIssue::status, HealthIssue::reason)
                .containsExactly(tuple(Status.DEGRADED, "MountReadOnly"));
        run("mount", "-o", "remount,rw", staging(volume).toString());
        assertThat(issues(volume)).isEmpty();
    }

    @Test
    void aReadOnlyUseIsNotAnIssue() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.EXT4);
        node.publish(volume, "pod", TestNode.EXT4, true);
        assertThat(issues(volume)).isEmpty();
    }

    @Test
    void aMissingMountIsReportedUntilItIsThereAgain() {
        var volume = published(FilesystemType.EXT4);
        Mounts.unmount(TestNode.path(node.target("pod")));
        assertThat(issues(volume))
                .extracting(HealthIssue::status, HealthIssue::reason)
                .containsExactly(tuple(Status.INACCESSIBLE, "NotMounted"));
        assertThat(node.engine.health(node.staged(volume)).issues()).isEmpty();
        node.publish(volume, "pod", TestNode.EXT4, false);
        assertThat(issues(volume)).isEmpty();
    }

    @Test
    void errorsThatExt4CountedAreReportedUntilTheVolumeWasStagedAgain() throws IOException {
        var volume = published(FilesystemType.EXT4);
        try (var file = FileChannel.open(
                staging(volume).resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap("kept".getBytes(StandardCharsets.US_ASCII)));
            file.force(true);
        }
        var loop = node.loops().getFirst().number();
        Files.writeString(Path.of("/sys/fs/ext4/loop" + loop + "/trigger_fs_error"), "seen by a test");
        assertThat(issues(volume))
                .extracting(HealthIssue::status, HealthIssue::reason)
                .contains(tuple(Status.INACCESSIBLE, "FilesystemError"));
        node.unpublish(volume, "pod");
        node.unstage(volume);
        node.stage(volume, TestNode.EXT4);
        node.publish(volume, "pod", TestNode.EXT4, false);
        assertThat(issues(volume)).isEmpty();
        assertThat(staging(volume).resolve("file")).hasContent("kept");
    }

    @Test
    void anXfsThatShutDownIsReportedAndCanStillBeTakenDownAndPutUpAgain() throws IOException {
        var volume = published(FilesystemType.XFS);
        run("xfs_io", "-x", "-c", "shutdown", staging(volume).toString());
        assertThat(issues(volume))
                .extracting(HealthIssue::status, HealthIssue::reason)
                .contains(tuple(Status.INACCESSIBLE, "FilesystemError"));
        node.unpublish(volume, "pod");
        node.unstage(volume);
        assertThat(node.mounts()).isEmpty();
        node.stage(volume, TestNode.filesystem(FilesystemType.XFS));
        assertThat(issues(volume)).isEmpty();
    }

    @Test
    void aRawDeviceThatIsGoneIsReported() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.BLOCK);
        assertThat(issues(volume)).isEmpty();
        node.loops().forEach(loop -> LoopDevices.detach(loop.number(), loop.backing()));
        assertThat(issues(volume)).extracting(HealthIssue::reason).contains("NotAttached");
        node.stage(volume, TestNode.BLOCK);
        assertThat(issues(volume)).isEmpty();
    }

    @Test
    void aRawDeviceThatTurnedReadOnlyIsReported() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.BLOCK);
        node.publish(volume, "pod", TestNode.BLOCK, false);
        var loop = node.loops().getFirst().number();
        LoopDevices.setReadOnly(loop, true);
        assertThat(issues(volume)).extracting(HealthIssue::reason).containsExactly("DeviceReadOnly");
        LoopDevices.setReadOnly(loop, false);
        assertThat(issues(volume)).isEmpty();
    }

    @Test
    void whatTheStorageSaysIsPassedOn() {
        var volume = published(FilesystemType.EXT4);
        var issue = new HealthIssue(Status.DATA_LOSS, "BackingFileMissing", "its file is gone");
        node.devices.issues.add(issue);
        assertThat(issues(volume)).containsExactly(issue);
        node.devices.issues.clear();
        assertThat(issues(volume)).isEmpty();
    }

    @Test
    void whatHangsIsReportedInTimeAndHeals() throws InterruptedException {
        var volume = published(FilesystemType.EXT4);
        var released = new CountDownLatch(1);
        node.devices.beforeLook = released::await;
        for (int i = 0; i < 2; i++) {
            assertThat(issues(volume)).extracting(HealthIssue::reason).containsExactly("NotResponding");
        }
        node.devices.beforeLook = () -> {};
        released.countDown();
        assertThat(issues(volume)).isEmpty();
    }

    @Test
    void anUnknownVolumeOrPathIsNotFound() {
        var volume = published(FilesystemType.EXT4);
        assertThatThrownBy(() -> issues(new VolumeId("unknown"))).isInstanceOf(NotFound.class);
        assertThatThrownBy(() ->
                        node.engine.health(new Place(volume, Optional.of(node.target("elsewhere")), Optional.empty())))
                .isInstanceOf(NotFound.class);
    }
}
