package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.backend.NodeVolumes.Publish;
import dev.stowage.core.backend.NodeVolumes.Stage;
import dev.stowage.core.error.StowageException.AlreadyExists;
import dev.stowage.core.error.StowageException.InvalidRequest;
import dev.stowage.core.error.StowageException.NotPossible;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PublishTest {

    private final TestNode node = new TestNode();

    @AfterEach
    void takeAway() {
        node.close();
    }

    private VolumeId staged(VolumeUse use) {
        var volume = node.volume("v1", FilesystemType.EXT4);
        node.stage(volume, use);
        return volume;
    }

    private Path target(String pod) {
        return TestNode.path(node.target(pod));
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aStagedVolumeIsShownAtItsTargetsAndGoneAfterwards(FilesystemType type) throws IOException {
        var volume = node.volume("v1", type);
        var use = TestNode.filesystem(type.mountName(), AccessMode.SINGLE_NODE_MULTI_WRITER);
        node.stage(volume, use);
        node.publish(volume, "a", use, false);
        node.publish(volume, "b", use, true);
        Files.writeString(target("a").resolve("file"), "seen");
        assertThat(target("b").resolve("file")).hasContent("seen");
        assertThatThrownBy(() -> Files.writeString(target("b").resolve("file"), "no"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only");
        node.publish(volume, "a", use, false);
        node.publish(volume, "b", use, true);
        assertThat(node.mounts()).hasSize(3);

        node.unpublish(volume, "a");
        node.unpublish(volume, "a");
        node.unpublish(volume, "b");
        assertThat(target("a")).doesNotExist();
        assertThat(target("b")).doesNotExist();
        node.unstage(volume);
        assertThat(node.mounts()).isEmpty();
        assertThat(node.loops()).isEmpty();
    }

    @Test
    void aRepeatWithOtherArgumentsIsRefused() {
        var volume = staged(TestNode.EXT4);
        node.publish(volume, "pod", TestNode.EXT4, false);
        assertThatThrownBy(() -> node.publish(volume, "pod", TestNode.EXT4, true))
                .isInstanceOf(AlreadyExists.class);
        assertThatThrownBy(() -> node.publish(
                        volume, "pod", TestNode.filesystem("ext4", AccessMode.SINGLE_NODE_READER_ONLY), false))
                .isInstanceOf(AlreadyExists.class);
        assertThat(Mounts.at(target("pod")).orElseThrow().readOnly()).isFalse();
    }

    @Test
    void aReaderOnlyModeIsReadOnlyWithoutBeingAsked() {
        var volume = staged(TestNode.EXT4);
        node.publish(volume, "pod", TestNode.filesystem("ext4", AccessMode.SINGLE_NODE_READER_ONLY), false);
        assertThat(Mounts.at(target("pod")).orElseThrow().readOnly()).isTrue();
    }

    @Test
    void whatWasStagedForReadingIsNotPublishedForWriting() {
        var volume = staged(TestNode.EXT4);
        node.unstage(volume);
        var reading = TestNode.filesystem("ext4", AccessMode.SINGLE_NODE_READER_ONLY);
        node.stage(volume, reading);
        assertThatThrownBy(() -> node.publish(volume, "pod", TestNode.EXT4, false))
                .isInstanceOf(NotPossible.class);
        node.publish(volume, "pod", reading, false);
    }

    @Test
    void whatIsAttachedForReadingIsUsedForReading() {
        var volume = staged(TestNode.EXT4);
        node.unstage(volume);
        var attachment = Map.of(NodeEngine.READ_ONLY, "true");
        node.engine.stage(new Stage(volume, node.stagingPath(volume), TestNode.EXT4, attachment, Map.of()));
        node.engine.publish(new Publish(
                volume,
                Optional.of(node.stagingPath(volume)),
                node.target("pod"),
                TestNode.EXT4,
                false,
                attachment,
                Map.of()));
        assertThat(node.mounts()).hasSize(2).allMatch(Sight::readOnly);
    }

    @Test
    void publishingNeedsTheStagingPath() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        assertThatThrownBy(() -> node.publish(volume, "pod", TestNode.EXT4, false))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("not staged");
        node.stage(volume, TestNode.EXT4);
        assertThatThrownBy(() -> node.engine.publish(new Publish(
                        volume, Optional.empty(), node.target("pod"), TestNode.EXT4, false, Map.of(), Map.of())))
                .isInstanceOf(NotPossible.class);
        assertThatThrownBy(() -> node.engine.publish(new Publish(
                        volume,
                        Optional.of(node.target("elsewhere")),
                        node.target("pod"),
                        TestNode.EXT4,
                        false,
                        Map.of(),
                        Map.of())))
                .isInstanceOf(NotPossible.class);
        assertThatThrownBy(() -> node.publish(volume, "pod", TestNode.BLOCK, false))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("raw device");
        assertThatThrownBy(() -> node.publish(volume, "pod", TestNode.filesystem("xfs"), false))
                .isInstanceOf(NotPossible.class);
        assertThat(target("pod")).doesNotExist();
    }

    @Test
    void aMountThatVanishedIsNoLongerStaged() {
        var volume = staged(TestNode.EXT4);
        Mounts.unmount(TestNode.path(node.stagingPath(volume)));
        assertThatThrownBy(() -> node.publish(volume, "pod", TestNode.EXT4, false))
                .isInstanceOf(NotPossible.class);
        node.stage(volume, TestNode.EXT4);
        node.publish(volume, "pod", TestNode.EXT4, false);
    }

    @Test
    void aSingleWriterHasOneTarget() {
        var use = TestNode.filesystem("ext4", AccessMode.SINGLE_NODE_SINGLE_WRITER);
        var volume = staged(use);
        node.publish(volume, "a", use, false);
        node.publish(volume, "a", use, false);
        assertThatThrownBy(() -> node.publish(volume, "b", use, false))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining(node.target("a").value());
        assertThat(target("b")).doesNotExist();
        node.unpublish(volume, "a");
        node.publish(volume, "b", use, false);
    }

    @Test
    void aTargetThatIsTakenIsLeftAlone() throws IOException {
        var volume = staged(TestNode.EXT4);

        Files.createDirectory(target("mounted"));
        Mounts.mount(Path.of("none"), target("mounted"), "tmpfs", List.of());
        assertThatThrownBy(() -> node.publish(volume, "mounted", TestNode.EXT4, false))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("tmpfs");
        node.unpublish(volume, "mounted");
        assertThat(Mounts.at(target("mounted")).orElseThrow().type()).isEqualTo("tmpfs");

        Files.createDirectory(target("full"));
        Files.createFile(target("full").resolve("file"));
        assertThatThrownBy(() -> node.publish(volume, "full", TestNode.EXT4, false))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("not empty");

        Files.createFile(target("file"));
        assertThatThrownBy(() -> node.publish(volume, "file", TestNode.EXT4, false))
                .isInstanceOf(NotPossible.class);

        var elsewhere = Files.createDirectory(node.root().resolve("elsewhere"));
        Files.createSymbolicLink(target("link"), elsewhere);
        assertThatThrownBy(() -> node.publish(volume, "link", TestNode.EXT4, false))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("symbolic link");
        node.unpublish(volume, "link");
        assertThat(target("link")).isSymbolicLink();

        assertThatThrownBy(() -> node.publish(volume, "missing/pod", TestNode.EXT4, false))
                .isInstanceOf(NotPossible.class);
        assertThat(target("missing")).doesNotExist();
        assertThat(node.records.publications(volume)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aLinkFurtherUpInThePathsDoesNotConfuse(FilesystemType type) throws IOException {
        var link = Files.createSymbolicLink(node.root().resolve("kubelet"), node.root());
        var volume = node.volume("v1", type);
        var use = TestNode.filesystem(type);
        var staging = new TargetPath(link.resolve("staging/x").toString());
        var target = new TargetPath(link.resolve("pods/x").toString());
        for (int i = 0; i < 2; i++) {
            node.engine.stage(new Stage(volume, staging, use, Map.of(), Map.of()));
            node.engine.publish(new Publish(volume, Optional.of(staging), target, use, false, Map.of(), Map.of()));
        }
        assertThat(node.mounts()).hasSize(2);
        node.engine.unpublish(volume, target);
        node.engine.unstage(volume, staging);
        assertThat(node.mounts()).isEmpty();
        assertThat(node.loops()).isEmpty();
    }

    @Test
    void anEmptyTargetThatWasThereBeforeStays() throws IOException {
        var volume = staged(TestNode.EXT4);
        Files.createDirectory(target("pod"));
        node.publish(volume, "pod", TestNode.EXT4, false);
        assertThat(Mounts.at(target("pod"))).isPresent();
        node.unpublish(volume, "pod");
        assertThat(target("pod")).isEmptyDirectory();
    }

    @Test
    void unpublishingWhatIsNotPublishedIsFine() throws IOException {
        node.unpublish(new VolumeId("unknown"), "pod");
        var volume = staged(TestNode.EXT4);
        Files.createDirectory(target("pod"));
        node.unpublish(volume, "pod");
        assertThat(target("pod")).isDirectory();
    }

    @Test
    void aVolumeInUseIsNotUnpublished() throws IOException {
        var volume = staged(TestNode.EXT4);
        node.publish(volume, "pod", TestNode.EXT4, false);
        try (var open = Files.newInputStream(Files.createFile(target("pod").resolve("file")))) {
            assertThatThrownBy(() -> node.unpublish(volume, "pod")).isInstanceOf(NotPossible.class);
            assertThat(open.read()).isNegative();
        }
        node.unpublish(volume, "pod");
    }

    @Test
    void anotherGroupAtPublishingTakesOver() throws IOException {
        var volume = staged(TestNode.forGroup("ext4", 4711));
        node.publish(volume, "a", TestNode.forGroup("ext4", 4712), false);
        assertThat(Files.getAttribute(target("a"), "unix:gid")).isEqualTo(4712);
        node.publish(volume, "b", TestNode.forGroup("ext4", 4713), true);
        assertThat(Files.getAttribute(target("b"), "unix:gid")).isEqualTo(4712);
    }
}
