package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.AlreadyExists;
import dev.stowage.core.error.StowageException.InvalidRequest;
import dev.stowage.core.error.StowageException.NotPossible;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EphemeralTest {

    private static final VolumeId VOLUME = new VolumeId("csi-1");
    private static final Map<String, String> CONTEXT = Map.of("size", "64Mi");

    private final TestNode node = new TestNode();

    @AfterEach
    void takeAway() {
        node.close();
    }

    private Path target(String pod) {
        return TestNode.path(node.target(pod));
    }

    private void assertNothingLeft() {
        assertThat(node.mounts()).isEmpty();
        assertThat(node.loops()).isEmpty();
        assertThat(node.devices.file(VOLUME)).doesNotExist();
        assertThat(node.records.volumes()).isEmpty();
    }

    @Test
    void theVolumeLivesAsLongAsItsPublication() throws IOException {
        node.publishEphemeral(VOLUME, "pod", TestNode.filesystem(""), false, CONTEXT);
        Files.writeString(target("pod").resolve("file"), "here");
        node.publishEphemeral(VOLUME, "pod", TestNode.filesystem(""), false, CONTEXT);
        assertThat(target("pod").resolve("file")).hasContent("here");
        assertThat(node.mounts()).hasSize(1);
        assertThat(node.engine
                        .usage(new dev.stowage.core.backend.NodeVolumes.Place(
                                VOLUME, java.util.Optional.of(node.target("pod")), java.util.Optional.empty()))
                        .inodes())
                .isPresent();
        assertThatThrownBy(() -> node.publishEphemeral(VOLUME, "pod", TestNode.filesystem(""), true, CONTEXT))
                .isInstanceOf(AlreadyExists.class);
        assertThatThrownBy(() -> node.publishEphemeral(VOLUME, "other", TestNode.filesystem(""), false, CONTEXT))
                .isInstanceOf(NotPossible.class);
        node.unpublish(VOLUME, "pod");
        node.unpublish(VOLUME, "pod");
        assertThat(target("pod")).doesNotExist();
        assertNothingLeft();
    }

    @Test
    void itMayBeReadOnly() {
        node.publishEphemeral(VOLUME, "pod", TestNode.filesystem("ext4"), true, CONTEXT);
        assertThat(Mounts.at(target("pod")).orElseThrow().readOnly()).isTrue();
    }

    @Test
    void aFailureLeavesNothing() throws IOException {
        for (var context : java.util.List.of(
                Map.<String, String>of(),
                Map.of("size", "lots"),
                Map.of("size", "64Mi", "mountOptions", "data=nonsense"),
                Map.of("size", "64Mi", "mkfsOptions", "-b 512"),
                Map.of("size", "64Mi", "mkfsOptions", "-d /etc"))) {
            assertThatThrownBy(() -> node.publishEphemeral(VOLUME, "pod", TestNode.filesystem("ext4"), false, context));
            assertThat(target("pod")).doesNotExist();
            assertNothingLeft();
        }
        assertThatThrownBy(() -> node.publishEphemeral(VOLUME, "pod", TestNode.BLOCK, false, CONTEXT))
                .isInstanceOf(InvalidRequest.class);
        Files.createDirectory(target("pod"));
        Files.createFile(target("pod").resolve("file"));
        assertThatThrownBy(() -> node.publishEphemeral(VOLUME, "pod", TestNode.filesystem("ext4"), false, CONTEXT))
                .isInstanceOf(NotPossible.class);
        assertNothingLeft();
    }

    @Test
    void afterARebootThePodFindsItsDataAgain() throws IOException {
        node.publishEphemeral(VOLUME, "pod", TestNode.filesystem("ext4"), false, CONTEXT);
        Files.writeString(target("pod").resolve("file"), "here");
        Mounts.unmount(target("pod"));
        node.crashAndRestart();
        node.publishEphemeral(VOLUME, "pod", TestNode.filesystem("ext4"), false, CONTEXT);
        assertThat(target("pod").resolve("file")).hasContent("here");
        node.unpublish(VOLUME, "pod");
        assertThat(target("pod")).doesNotExist();
        assertNothingLeft();
    }

    @Test
    void whenItsPodIsGoneItIsDeletedAtTheNextStart() throws IOException {
        node.publishEphemeral(VOLUME, "pod", TestNode.filesystem("ext4"), false, CONTEXT);
        Mounts.unmount(target("pod"));
        Files.delete(target("pod"));
        node.crashAndRestart();
        assertNothingLeft();
    }

    @Test
    void aLostRecordDoesNotKeepItAlive() {
        node.publishEphemeral(VOLUME, "pod", TestNode.filesystem("ext4"), false, CONTEXT);
        node.records
                .edit(VOLUME)
                .dropPublication(node.target("pod").value())
                .dropFilesystem()
                .commit();
        node.unpublish(VOLUME, "pod");
        assertNothingLeft();
    }
}
