package dev.stowage.backend.vsc.node;

import static dev.stowage.backend.vsc.node.NodeUnderTest.BLOCK;
import static dev.stowage.backend.vsc.node.NodeUnderTest.XFS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.Sizes;
import dev.stowage.node.Devices.How;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IscsiDevicesTest {

    private NodeUnderTest node;

    @BeforeEach
    void start() throws IOException {
        node = new NodeUnderTest();
    }

    @AfterEach
    void stop() throws IOException {
        node.close();
    }

    private void assertNothingLeft() throws IOException {
        assertThat(node.mounts()).isEmpty();
        assertThat(node.loops()).isEmpty();
        assertThat(node.daemons()).isEmpty();
    }

    @Test
    void whatAPodWroteIsThereWhenTheVolumeComesBack() throws IOException {
        var volume = node.array.volume("one");
        var context = node.attach(volume);
        node.stage(volume, XFS, context);
        node.stage(volume, XFS, context);
        node.publish(volume, "pod", XFS, context);
        Files.writeString(Path.of(node.pod("pod").value(), "file"), "kept");
        node.engine.unpublish(volume, node.pod("pod"));
        node.unstage(volume);
        node.unstage(volume);
        assertNothingLeft();
        node.stage(volume, XFS, context);
        assertThat(Path.of(node.staging(volume).value(), "file")).hasContent("kept");
        node.unstage(volume);
    }

    @Test
    void whatIsLeftOfAFormerAttachmentGoesBeforeTheVolumeIsStagedAnew() throws IOException {
        var volume = node.array.volume("attached-twice");
        var former = new HashMap<>(node.attach(volume));
        former.put("attachment", "former");
        var latter = new HashMap<>(former);
        latter.put("attachment", "latter");
        node.stage(volume, XFS, former);
        node.publish(volume, "pod", XFS, former);
        Files.writeString(Path.of(node.pod("pod").value(), "file"), "synced");
        node.engine.unpublish(volume, node.pod("pod"));
        node.unstage(volume);
        node.stage(volume, XFS, former);
        node.publish(volume, "pod", XFS, former);
        var device = node.devices.attached(volume);

        assertThatThrownBy(() -> node.stage(volume, XFS, latter))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining(node.pod("pod").value());
        assertThat(node.devices.attached(volume)).isEqualTo(device);
        Files.writeString(Path.of(node.pod("pod").value(), "memory"), "never synced");
        node.engine.unpublish(volume, node.pod("pod"));
        node.stage(volume, XFS, latter);

        assertThat(Path.of(node.staging(volume).value(), "file")).hasContent("synced");
        assertThat(Path.of(node.staging(volume).value(), "memory")).doesNotExist();
        node.stage(volume, XFS, latter);
        node.unstage(volume);
        assertNothingLeft();
    }

    @Test
    void aVolumeThatIsAttachedForReadingIsMountedSo() throws IOException {
        var volume = node.array.volume("read-only");
        node.stage(volume, XFS, node.attach(volume));
        Files.writeString(Path.of(node.staging(volume).value(), "file"), "written");
        node.unstage(volume);
        node.array.fence(volume, NodeUnderTest.NAME);

        node.stage(volume, XFS, node.attachReadOnly(volume));

        var file = Path.of(node.staging(volume).value(), "file");
        assertThat(file).hasContent("written");
        assertThatThrownBy(() -> Files.writeString(file, "other"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only");
        node.unstage(volume);
        assertNothingLeft();
    }

    @Test
    void aBlockVolumeIsTheRawDevice() throws IOException {
        var volume = node.array.volume("raw");
        var context = node.attach(volume);
        node.stage(volume, BLOCK, context);
        node.publish(volume, "pod", BLOCK, context);
        Files.write(Path.of(node.pod("pod").value()), new byte[] {1, 2, 3, 4});
        node.engine.unpublish(volume, node.pod("pod"));
        node.unstage(volume);
        assertNothingLeft();
        assertThat(Files.readAllBytes(node.root.resolve("array/volumes/" + volume)))
                .startsWith(1, 2, 3, 4);
    }

    @Test
    void aVolumeGrowsInUse() {
        var volume = node.array.volume("growing");
        node.stage(volume, XFS, node.attach(volume));
        node.array.client.expandBy(volume.value(), 1);
        assertThat(node.engine.expand(node.place(volume), new SizeRange(2 * Sizes.GIB, 0), Optional.of(XFS)))
                .isEqualTo(2 * Sizes.GIB);
        assertThat(node.engine.usage(node.place(volume)).bytes().total()).isGreaterThan(3 * Sizes.GIB / 2);
        node.unstage(volume);
    }

    @Test
    void aNewProcessTakesTheVolumeAwayWithoutBeingToldWhereItWas() throws IOException {
        var volume = node.array.volume("restart");
        var context = node.attach(volume);
        node.stage(volume, XFS, context);
        Files.writeString(Path.of(node.staging(volume).value(), "file"), "before");
        node.restart();
        Files.writeString(Path.of(node.staging(volume).value(), "more"), "after");
        node.stage(volume, XFS, context);
        node.unstage(volume);
        assertNothingLeft();
    }

    @Test
    void whatACrashLeftAttachedIsTakenAway() throws IOException {
        var volume = node.array.volume("crash");
        node.devices
                .attach(volume, new How(false, false, node.attach(volume), Map.of()))
                .close();
        assertThat(node.daemons()).hasSize(1);
        node.restart();
        assertNothingLeft();
    }

    @Test
    void aLostConnectionIsToldAndTheVolumeWorksAgainWhenItIsStagedAnew() throws IOException {
        var volume = node.array.volume("lost");
        var context = node.attach(volume);
        node.stage(volume, XFS, context);
        Files.writeString(Path.of(node.staging(volume).value(), "file"), "kept");
        node.unstage(volume);
        node.stage(volume, XFS, context);
        assertThat(node.engine.health(node.place(volume)).issues()).isEmpty();
        node.killDaemons();
        assertThat(node.engine.health(node.place(volume)).issues())
                .extracting(issue -> issue.reason())
                .contains("NotConnected");
        node.unstage(volume);
        assertNothingLeft();
        node.stage(volume, XFS, context);
        assertThat(Path.of(node.staging(volume).value(), "file")).hasContent("kept");
        node.unstage(volume);
    }

    @Test
    void aVolumeThatLostItsConnectionIsTakenAwayAlsoByAnotherProcess() throws IOException {
        var volume = node.array.volume("lost-and-restarted");
        var context = node.attach(volume);
        node.stage(volume, XFS, context);
        node.killDaemons();
        node.restart();
        node.unstage(volume);
        assertNothingLeft();
        node.stage(volume, BLOCK, context);
        node.killDaemons();
        node.restart();
        node.unstage(volume);
        assertNothingLeft();
    }

    @Test
    void aFencedNodeCanStillBeRidOfTheVolume() throws IOException {
        var volume = node.array.volume("fenced");
        node.stage(volume, XFS, node.attach(volume));
        node.array.fence(volume, NodeUnderTest.NAME);
        node.unstage(volume);
        assertNothingLeft();
    }

    @Test
    void volumesOfOneArrayComeAndGoApart() throws IOException {
        var first = node.array.volume("first");
        var second = node.array.volume("second");
        node.stage(first, XFS, node.attach(first));
        node.stage(second, XFS, node.attach(second));
        node.unstage(first);
        Files.writeString(Path.of(node.staging(second).value(), "file"), "goes on");
        assertThat(node.daemons()).hasSize(1);
        node.unstage(second);
        assertNothingLeft();
    }

    @Test
    void aSecretThatWasSealedForAnotherVolumeIsRefused() throws IOException {
        var volume = node.array.volume("sealed");
        var other = node.array.volume("other");
        var context = new HashMap<>(node.attach(volume));
        context.put("sealedChap", String.valueOf(node.attach(other).get("sealedChap")));
        assertThatThrownBy(() -> node.stage(volume, XFS, context))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("cannot be opened");
        assertNothingLeft();
    }

    @Test
    void aTargetThatCannotProveItselfIsRefused() throws IOException {
        var volume = node.array.volume("proof");
        var context = new HashMap<>(node.attach(volume));
        context.put("sealedTargetChap", node.sealedProof(volume, "of-somebody-else"));
        assertThatThrownBy(() -> node.stage(volume, XFS, context))
                .isInstanceOf(StowageException.class)
                .hasMessageNotContaining("of-somebody-else");
        assertNothingLeft();
        context.put("sealedTargetChap", String.valueOf(context.get("sealedChap")));
        assertThatThrownBy(() -> node.stage(volume, XFS, context)).hasMessageContaining("cannot be opened");
        node.stage(volume, XFS, node.attach(volume));
        node.unstage(volume);
        assertNothingLeft();
    }

    @Test
    void anArrayWithoutAProofIsUsedAsBefore() throws IOException {
        var volume = node.array.volume("one-way");
        var context = new HashMap<>(node.attach(volume));
        context.remove("targetChapUser");
        context.remove("sealedTargetChap");
        node.stage(volume, XFS, context);
        node.unstage(volume);
        assertNothingLeft();
    }

    @Test
    void anotherUnitThanTheArrayToldIsNotUsedEvenTheFirstTime() throws IOException {
        var volume = node.array.volume("serial");
        var context = new HashMap<>(node.attach(volume));
        String serial = String.valueOf(context.get("serial"));
        assertThat(serial).matches("[0-9a-f]{16}");
        context.put("serial", "00000000bbbb0001");
        assertThatThrownBy(() -> node.stage(volume, XFS, context))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining(serial);
        assertNothingLeft();
    }

    @Test
    void anAttachmentThatDoesNotTellEnoughIsNamed() {
        var volume = node.array.volume("poor");
        var context = new HashMap<>(node.attach(volume));
        context.remove("portals");
        assertThatThrownBy(() -> node.stage(volume, XFS, context))
                .isInstanceOf(StowageException.InvalidRequest.class)
                .hasMessageContaining("portals");
    }
}
