package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.backend.NodeVolumes.Place;
import dev.stowage.core.error.StowageException.NotFound;
import dev.stowage.core.error.StowageException.NotPossible;
import dev.stowage.core.error.StowageException.OutOfRange;
import dev.stowage.core.error.StowageException.Unavailable;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GrowthAndUsageTest {

    private final TestNode node = new TestNode();

    @AfterEach
    void takeAway() {
        node.close();
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aMountedVolumeGrowsInPlace(FilesystemType type) throws IOException {
        var volume = node.volume("v1", type);
        var use = TestNode.filesystem(type);
        node.stage(volume, use);
        node.publish(volume, "pod", use, false);
        var place = node.published(volume, "pod");
        long before = node.engine.usage(place).bytes().total();
        Files.writeString(TestNode.path(node.target("pod")).resolve("file"), "kept");

        long larger = 2 * TestNode.size(type);
        assertThatThrownBy(() -> node.engine.expand(place, SizeRange.atLeast(larger), Optional.of(use)))
                .isInstanceOf(OutOfRange.class);
        node.resizeFile(volume, larger);
        if (type == FilesystemType.EXT4 && !Capabilities.resource()) {
            assertThatThrownBy(() -> node.engine.expand(place, SizeRange.atLeast(larger), Optional.of(use)))
                    .isInstanceOf(NotPossible.class)
                    .hasMessageContaining("CAP_SYS_RESOURCE");
            node.unpublish(volume, "pod");
            node.unstage(volume);
            node.stage(volume, use);
            node.publish(volume, "pod", use, false);
        }
        assertThat(node.engine.expand(place, SizeRange.atLeast(larger), Optional.of(use)))
                .isEqualTo(larger);
        assertThat(node.engine.expand(node.staged(volume), SizeRange.ANY, Optional.empty()))
                .isEqualTo(larger);
        assertThat(node.engine.usage(place).bytes().total()).isGreaterThan(before * 3 / 2);
        assertThat(TestNode.path(node.target("pod")).resolve("file")).hasContent("kept");
        assertThatThrownBy(() -> node.engine.expand(place, new SizeRange(0, larger / 2), Optional.empty()))
                .isInstanceOf(OutOfRange.class);
    }

    @Test
    void aReadOnlyPublicationOfAWritableVolumeGrowsToo() {
        var use = TestNode.filesystem("xfs");
        var volume = node.volume("v1", FilesystemType.XFS);
        node.stage(volume, use);
        node.publish(volume, "pod", use, true);
        node.resizeFile(volume, 640 * Sizes.MIB);
        node.engine.expand(node.published(volume, "pod"), SizeRange.ANY, Optional.empty());
        assertThat(node.engine.usage(node.published(volume, "pod")).bytes().total())
                .isGreaterThan(500 * Sizes.MIB);
    }

    @Test
    void aBtrfsThatTheKernelFindsTooSmallToGrowSaysSoAndStaysUsable() {
        var use = TestNode.filesystem("btrfs");
        var volume = node.volume("v1", 128 * Sizes.MIB);
        node.stage(volume, use);
        node.resizeFile(volume, 192 * Sizes.MIB);
        assertThatThrownBy(() -> node.engine.expand(node.staged(volume), SizeRange.ANY, Optional.empty()))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("256 MiB");
        node.unstage(volume);
        node.stage(volume, use);
        node.resizeFile(volume, 256 * Sizes.MIB);
        node.engine.expand(node.staged(volume), SizeRange.ANY, Optional.empty());
        assertThat(node.engine.usage(node.staged(volume)).bytes().total()).isGreaterThan(250 * Sizes.MIB);
    }

    @Test
    void aVolumeThatDoesNotAnswerIsUnavailableAndCanBeMeasuredOnceItDoes() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.BLOCK);
        node.publish(volume, "pod", TestNode.BLOCK, false);
        var released = new CountDownLatch(1);
        node.devices.beforeLook = released::await;
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> node.engine.usage(node.published(volume, "pod")))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("v1");
        }
        node.devices.beforeLook = () -> {};
        released.countDown();
        assertThat(node.engine.usage(node.published(volume, "pod")).bytes().total())
                .isPositive();
    }

    @Test
    void usageCountsBytesAndInodes() throws IOException {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, TestNode.EXT4);
        var before = node.engine.usage(node.staged(volume));
        Files.write(TestNode.path(node.stagingPath(volume)).resolve("file"), new byte[1 << 20]);
        var after = node.engine.usage(node.staged(volume));
        assertThat(after.bytes().total()).isBetween(40 * Sizes.MIB, 64 * Sizes.MIB);
        assertThat(after.inodes().orElseThrow().used())
                .isEqualTo(before.inodes().orElseThrow().used() + 1);
    }

    @Test
    void aPathThatIsNotThisVolumesIsNotFound() throws IOException {
        var volume = node.volume("v1", FilesystemType.EXT4);
        var other = node.volume("v2", FilesystemType.EXT4);
        node.stage(volume, TestNode.EXT4);
        node.stage(other, TestNode.EXT4);
        Files.createDirectory(TestNode.path(node.target("pod")));
        for (var place : List.of(
                new Place(volume, Optional.of(node.stagingPath(other)), Optional.empty()),
                new Place(volume, Optional.of(node.target("pod")), Optional.empty()),
                new Place(volume, Optional.of(node.target("pod")), Optional.of(node.stagingPath(volume))),
                new Place(new VolumeId("unknown"), Optional.of(node.stagingPath(volume)), Optional.empty()))) {
            assertThatThrownBy(() -> node.engine.usage(place)).isInstanceOf(NotFound.class);
            assertThatThrownBy(() -> node.engine.expand(place, SizeRange.ANY, Optional.empty()))
                    .isInstanceOf(NotFound.class);
        }
        Mounts.unmount(TestNode.path(node.stagingPath(volume)));
        assertThatThrownBy(() -> node.engine.usage(node.staged(volume))).isInstanceOf(NotFound.class);
    }
}
