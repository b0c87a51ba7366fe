package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.volume.AccessMode;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecoveryTest {

    private final TestNode node = new TestNode();

    @AfterEach
    void takeAway() {
        node.close();
    }

    @Test
    void whatIsStillTrueIsKept() {
        var filesystem = node.volume("v1", FilesystemType.BTRFS);
        node.stage(filesystem, TestNode.filesystem("btrfs"));
        node.publish(filesystem, "a", TestNode.filesystem("btrfs"), false);
        var device = node.volume("v2", FilesystemType.EXT4);
        node.stage(device, TestNode.BLOCK);
        node.publish(device, "b", TestNode.BLOCK, false);
        var mounts = node.mounts();
        node.crashAndRestart();
        assertThat(node.mounts()).isEqualTo(mounts);
        node.stage(filesystem, TestNode.filesystem("btrfs"));
        node.publish(filesystem, "a", TestNode.filesystem("btrfs"), false);
        node.stage(device, TestNode.BLOCK);
        node.publish(device, "b", TestNode.BLOCK, false);
        assertThat(node.mounts()).isEqualTo(mounts);
        node.unpublish(filesystem, "a");
        node.unstage(filesystem);
        node.unpublish(device, "b");
        node.unstage(device);
        assertThat(node.loops()).isEmpty();
    }

    @Test
    void whatARebootTookAwayIsForgottenExceptTheFilesystem() throws IOException {
        var filesystem = node.volume("v1", FilesystemType.EXT4);
        var use = TestNode.filesystem("ext4", AccessMode.SINGLE_NODE_MULTI_WRITER);
        node.stage(filesystem, use);
        node.publish(filesystem, "a", use, false);
        node.publish(filesystem, "b", use, false);
        var device = node.volume("v2", FilesystemType.EXT4);
        node.stage(device, TestNode.BLOCK);
        node.mounts().reversed().forEach(Mounts::unmount);
        node.loops().forEach(loop -> LoopDevices.detach(loop.number(), loop.backing()));
        Files.delete(TestNode.path(node.target("b")));

        node.crashAndRestart();
        assertThat(node.records.stage(filesystem)).isEmpty();
        assertThat(node.records.stage(device)).isEmpty();
        // The directory that we made is ours to remove until the orchestrator has asked for that.
        assertThat(node.records.publications(filesystem))
                .extracting(record -> record.getTarget())
                .containsExactly(node.target("a").value());
        assertThat(node.records.filesystem(filesystem)).isPresent();
        node.unpublish(filesystem, "a");
        assertThat(TestNode.path(node.target("a"))).doesNotExist();
        node.stage(filesystem, TestNode.EXT4);
        assertThat(node.mounts()).hasSize(1);
    }

    @Test
    void deferredForgettingThatACrashLostIsMadeUpFor() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.EXT4);
        node.publish(volume, "a", TestNode.EXT4, false);
        node.unpublish(volume, "a");
        node.crashAndRestart();
        assertThat(node.records.publications(volume)).isEmpty();
        node.unstage(volume);
    }

    @Test
    void aLoopDeviceThatNowBelongsToAnotherVolumeIsNotBelieved() {
        var first = node.volume("v1", FilesystemType.EXT4);
        node.stage(first, TestNode.BLOCK);
        var number = node.loops().getFirst().number();
        var other = node.volume("v2", FilesystemType.EXT4);
        var record = node.records.stage(first).orElseThrow();
        node.loops().forEach(loop -> LoopDevices.detach(loop.number(), loop.backing()));
        node.stage(other, TestNode.BLOCK);
        var device = node.devices.attached(other).orElseThrow();
        node.records
                .edit(first)
                .stage(record.toBuilder()
                        .setDevice(record.getDevice().toBuilder()
                                .setPath(device.path().toString())
                                .setMinor(device.minor()))
                        .build())
                .commit();
        assertThat(number).isNotNegative();
        node.crashAndRestart();
        assertThat(node.records.stage(first)).isEmpty();
        node.unstage(first);
        assertThat(node.loops()).hasSize(1);
        assertThat(node.devices.attached(other)).contains(device);
    }

    @Test
    void aDeletedVolumeCanBeForgotten() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.EXT4);
        node.unstage(volume);
        assertThat(node.engine.remembered()).containsExactly(volume);
        node.engine.forget(volume);
        assertThat(node.engine.remembered()).isEmpty();
        node.crashAndRestart();
        assertThat(node.engine.remembered()).isEmpty();
    }
}
