package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.AlreadyExists;
import dev.stowage.core.error.StowageException.InvalidRequest;
import dev.stowage.core.error.StowageException.NotPossible;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.loop.LoopDevices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockTest {

    private static final long SIZE = 64 * Sizes.MIB;

    private final TestNode node = new TestNode();

    @AfterEach
    void takeAway() {
        node.close();
    }

    private Path target(String pod) {
        return TestNode.path(node.target(pod));
    }

    private static void write(Path device, long offset, String text) throws IOException {
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII)), offset);
            channel.force(true);
        }
    }

    private static String read(Path device, int length) throws IOException {
        try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
            var buffer = ByteBuffer.allocate(length);
            channel.read(buffer, 0);
            return new String(buffer.array(), java.nio.charset.StandardCharsets.US_ASCII);
        }
    }

    @Test
    void aRawVolumeIsTheDeviceItselfAndLeavesNothing() throws IOException {
        var volume = node.volume("v1", SIZE);
        node.stage(volume, TestNode.BLOCK);
        node.stage(volume, TestNode.BLOCK);
        node.publish(volume, "pod", TestNode.BLOCK, false);
        node.publish(volume, "pod", TestNode.BLOCK, false);
        write(target("pod"), 0, "raw data");
        assertThat(node.engine.usage(node.published(volume, "pod")).bytes().total())
                .isEqualTo(SIZE);
        assertThat(node.engine.usage(node.published(volume, "pod")).inodes()).isEmpty();

        node.resizeFile(volume, 2 * SIZE);
        assertThat(node.engine.expand(
                        node.published(volume, "pod"), SizeRange.atLeast(2 * SIZE), Optional.of(TestNode.BLOCK)))
                .isEqualTo(2 * SIZE);
        assertThat(node.engine.usage(node.published(volume, "pod")).bytes().total())
                .isEqualTo(2 * SIZE);

        assertThatThrownBy(() -> node.unstage(volume)).isInstanceOf(NotPossible.class);
        node.unpublish(volume, "pod");
        assertThat(target("pod")).doesNotExist();
        node.unstage(volume);
        node.unstage(volume);
        assertThat(node.mounts()).isEmpty();
        assertThat(node.loops()).isEmpty();
        assertThat(read(node.devices.file(volume), 8)).isEqualTo("raw data");
    }

    @Test
    void aStagedDeviceThatWasTakenAwayIsNotStaged() {
        var volume = node.volume("v1", SIZE);
        node.stage(volume, TestNode.BLOCK);
        node.loops().forEach(loop -> LoopDevices.detach(loop.number(), loop.backing()));
        assertThatThrownBy(() -> node.publish(volume, "pod", TestNode.BLOCK, false))
                .isInstanceOf(NotPossible.class);
        node.stage(volume, TestNode.BLOCK);
        node.publish(volume, "pod", TestNode.BLOCK, false);
    }

    @Test
    void readOnlyIsAPropertyOfTheWholeDevice() throws IOException {
        var use = TestNode.block(AccessMode.SINGLE_NODE_MULTI_WRITER);
        var volume = node.volume("v1", SIZE);
        node.stage(volume, use);
        node.publish(volume, "a", use, true);
        assertThatThrownBy(() -> write(target("a"), 0, "no")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> node.publish(volume, "b", use, false))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("raw device is published read-only at " + node.target("a"));
        assertThatThrownBy(() -> node.publish(volume, "a", use, false)).isInstanceOf(AlreadyExists.class);
        node.publish(volume, "b", use, true);
        node.unpublish(volume, "a");
        node.unpublish(volume, "b");
        node.publish(volume, "c", use, false);
        write(target("c"), 0, "yes");
        assertThatThrownBy(() -> node.publish(volume, "d", use, true)).isInstanceOf(NotPossible.class);
        assertThat(target("d")).doesNotExist();
    }

    @Test
    void theNextUserOfTheDeviceFindsItWritable() {
        var volume = node.volume("v1", SIZE);
        node.stage(volume, TestNode.BLOCK);
        node.publish(volume, "pod", TestNode.BLOCK, true);
        var loop = node.loops().getFirst().number();
        assertThat(Path.of("/sys/block/loop" + loop + "/ro")).hasContent("1");
        node.unpublish(volume, "pod");
        node.unstage(volume);
        assertThat(Path.of("/sys/block/loop" + loop + "/ro")).hasContent("0");
    }

    @Test
    void aReaderOnlyDeviceCannotBeWritten() {
        var use = TestNode.block(AccessMode.SINGLE_NODE_READER_ONLY);
        var volume = node.volume("v1", SIZE);
        node.stage(volume, use);
        node.publish(volume, "pod", use, false);
        assertThatThrownBy(() -> write(target("pod"), 0, "no")).isInstanceOf(IOException.class);
        // What could not be written to says nothing about what is on it.
        assertThat(node.records.filesystem(volume)).isEmpty();
    }

    @Test
    void aTargetThatIsTakenIsLeftAlone() throws IOException {
        var volume = node.volume("v1", SIZE);
        node.stage(volume, TestNode.BLOCK);
        Files.writeString(target("full"), "content");
        assertThatThrownBy(() -> node.publish(volume, "full", TestNode.BLOCK, false))
                .isInstanceOf(NotPossible.class);
        assertThat(target("full")).hasContent("content");
        Files.createDirectory(target("directory"));
        assertThatThrownBy(() -> node.publish(volume, "directory", TestNode.BLOCK, false))
                .isInstanceOf(NotPossible.class);
        Files.createSymbolicLink(target("link"), target("full"));
        assertThatThrownBy(() -> node.publish(volume, "link", TestNode.BLOCK, false))
                .isInstanceOf(InvalidRequest.class);
    }

    @Test
    void whatWasWrittenRawIsNeverFormattedOver() throws IOException {
        var volume = node.volume("v1", SIZE);
        node.stage(volume, TestNode.BLOCK);
        node.publish(volume, "pod", TestNode.BLOCK, false);
        write(target("pod"), 32 * Sizes.MIB + 5, "far from any signature");
        node.unpublish(volume, "pod");
        node.unstage(volume);
        assertThatThrownBy(() -> node.stage(volume, TestNode.EXT4))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("raw device before");
        assertThat(node.loops()).isEmpty();
    }

    @Test
    void aRawVolumeThatStayedBlankMayBecomeAFilesystem() {
        var volume = node.volume("v1", SIZE);
        node.stage(volume, TestNode.BLOCK);
        node.unstage(volume);
        node.stage(volume, TestNode.EXT4);
        assertThat(node.mounts()).hasSize(1);
    }

    @Test
    void aFilesystemThatWasMadeThroughTheRawDeviceIsAdopted() throws Exception {
        var volume = node.volume("v1", SIZE);
        node.stage(volume, TestNode.EXT4);
        node.unstage(volume);
        node.stage(volume, TestNode.BLOCK);
        node.publish(volume, "pod", TestNode.BLOCK, false);
        dev.stowage.linux.filesystem.Filesystems.format(
                node.devices.attached(volume).orElseThrow().path(),
                FilesystemType.EXT4,
                java.util.UUID.randomUUID(),
                java.util.List.of(),
                null);
        node.unpublish(volume, "pod");
        node.unstage(volume);
        node.stage(volume, TestNode.EXT4);
        assertThat(node.mounts()).hasSize(1);
    }
}
