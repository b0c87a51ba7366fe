package dev.stowage.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.backend.vsc.node.IscsiDevices;
import dev.stowage.backend.vsc.node.UnitRecords;
import dev.stowage.core.backend.NodeVolumes.NodeInfo;
import dev.stowage.core.backend.NodeVolumes.Place;
import dev.stowage.core.backend.NodeVolumes.Publish;
import dev.stowage.core.backend.NodeVolumes.Stage;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.iscsi.kernel.OpenIscsi;
import dev.stowage.linux.command.Commands;
import dev.stowage.node.NodeEngine;
import dev.stowage.node.NodeRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A NAS volume on a node, with the kernel's NFS client and a server that comes and goes. Ends with an exception, or with exit code 0. */
public final class NasScenarios {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final VolumeId VOLUME = new VolumeId("pvc-nas");
    private static final Path NODE = Path.of("/tmp/node");
    private static final Path STAGED = NODE.resolve("staged");
    private static final Path FIRST = NODE.resolve("first");
    private static final Path SECOND = NODE.resolve("second");
    private static final String ONE = "10.99.9.1:/export/one";
    private static final int GROUP = 4242;

    private final UnitRecords units;
    private NodeRecords records;
    private NodeEngine engine;

    private NasScenarios() throws IOException {
        Files.createDirectories(NODE);
        units = UnitRecords.open(NODE.resolve("units"), "test");
        start();
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "use" -> new NasScenarios().use();
            case "trouble" -> new NasScenarios().trouble();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.exit(0);
    }

    private static String sh(String script) {
        return Commands.run(PATIENCE, "bash", "-c", ". /run/lab/nas.sh; " + script)
                .orThrow()
                .stdout();
    }

    private void start() {
        records = NodeRecords.open(NODE.resolve("records"), "test");
        var devices = new IscsiDevices(new OpenIscsi(San.NODE, Duration.ofSeconds(5)), units, (volume, text) -> {
            throw new IllegalStateException("NAS volumes have no secret");
        });
        engine = new NodeEngine(
                new NodeInfo(new NodeId("node-1"), 0, Optional.empty()), devices, Optional.empty(), records);
        engine.recover();
    }

    private void restart() {
        records.close();
        start();
    }

    private static VolumeUse shared(String... flags) {
        return new VolumeUse(
                new VolumeUse.Mount("", List.of(flags), Optional.of(GROUP)), AccessMode.MULTI_NODE_MULTI_WRITER);
    }

    private void stage(String export, String... flags) {
        engine.stage(new Stage(
                VOLUME,
                new TargetPath(STAGED.toString()),
                shared(flags),
                Map.of("protocol", "nfs", "export", export),
                Map.of()));
    }

    private void publish(Path target, boolean readOnly) {
        engine.publish(new Publish(
                VOLUME,
                Optional.of(new TargetPath(STAGED.toString())),
                new TargetPath(target.toString()),
                shared(),
                readOnly,
                Map.of("protocol", "nfs", "export", ONE),
                Map.of()));
    }

    private void unpublish(Path target) {
        engine.unpublish(VOLUME, new TargetPath(target.toString()));
    }

    private void unstage() {
        engine.unstage(VOLUME, new TargetPath(STAGED.toString()));
    }

    private static Place place(Path path) {
        return new Place(VOLUME, Optional.of(new TargetPath(path.toString())), Optional.empty());
    }

    private static String mounts() {
        return sh("grep -c ' - nfs4 ' /proc/self/mountinfo || true").strip();
    }

    private void use() throws IOException {
        sh("autoload off");
        assertThatThrownBy(() -> stage(ONE))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContainingAll("pvc-nas", "node-1", "no NFS client", "volumeType: Block");
        sh("autoload on; nas_up");

        stage(ONE);
        stage(ONE);
        publish(FIRST, false);
        publish(SECOND, true);
        publish(SECOND, true);
        Files.writeString(FIRST.resolve("file"), "written");
        assertThat(Path.of("/tmp/nas/one/file")).hasContent("written");
        assertThat(SECOND.resolve("file")).hasContent("written");
        assertThatThrownBy(() -> Files.writeString(SECOND.resolve("file"), "no"))
                .isInstanceOf(IOException.class);
        assertThat(Files.getAttribute(Path.of("/tmp/nas/one"), "unix:gid")).isEqualTo(GROUP);
        assertThat(engine.usage(place(FIRST)).bytes().total()).isPositive();
        assertThat(engine.expand(place(FIRST), new SizeRange(1 << 30, 0), Optional.empty()))
                .isEqualTo(1 << 30);
        assertThat(engine.health(place(FIRST)).issues()).isEmpty();

        restart();
        stage(ONE);
        assertThatThrownBy(() -> stage("10.99.9.1:/export/two"))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContainingAll(ONE, "/export/two");
        publish(FIRST, false);
        assertThat(mounts()).isEqualTo("3");
        assertThatThrownBy(this::unstage).isInstanceOf(StowageException.NotPossible.class);
        unpublish(FIRST);
        unpublish(SECOND);
        unpublish(SECOND);

        // Somebody else's mount in its place is neither used nor taken away.
        sh("umount %1$s; mount -i -t nfs -o vers=4.2,addr=10.99.9.1 10.99.9.1:/export/two %1$s".formatted(STAGED));
        assertThatThrownBy(() -> publish(FIRST, false)).isInstanceOf(StowageException.NotPossible.class);
        assertThatThrownBy(() -> stage(ONE))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("/export/two");
        assertThatThrownBy(this::unstage).isInstanceOf(StowageException.NotPossible.class);
        assertThat(mounts()).isEqualTo("1");
        sh("umount " + STAGED);
        unstage();
        unstage();

        stage(ONE, "ro", "nfsvers=4.1");
        assertThat(sh("grep ' - nfs4 ' /proc/self/mountinfo")).contains(" ro,", "vers=4.1", "hard");
        unstage();
        assertThatThrownBy(() -> stage(ONE, "addr=10.99.9.77")).isInstanceOf(StowageException.InvalidRequest.class);
        assertThatThrownBy(() -> stage("10.99.9.1:/export/none"))
                .isInstanceOf(StowageException.Unavailable.class)
                .hasMessageContaining("/export/none");
        assertThat(mounts()).isEqualTo("0");
        assertThat(engine.remembered()).isEmpty();
    }

    private void trouble() throws Exception {
        sh("nas_up");
        stage(ONE);
        publish(FIRST, false);
        Files.writeString(FIRST.resolve("before"), "1");

        sh("nas_kill");
        assertThatThrownBy(() -> engine.usage(place(FIRST))).isInstanceOf(StowageException.Unavailable.class);
        assertThat(engine.health(place(FIRST)).issues())
                .extracting(HealthIssue::reason)
                .contains("NotResponding");
        // The driver can be restarted, and pods can come and go, while the server is away.
        restart();
        publish(SECOND, true);
        unpublish(SECOND);
        var writing = CompletableFuture.runAsync(() -> write(FIRST.resolve("meanwhile")));
        sh("nas_start");
        writing.get(2, TimeUnit.MINUTES);
        assertThat(Path.of("/tmp/nas/one/meanwhile")).hasContent("2");
        assertThat(engine.usage(place(FIRST)).bytes().total()).isPositive();

        unpublish(FIRST);
        sh("nas_kill");
        try {
            unstage();
        } catch (StowageException.Unavailable notYet) {
            assertThat(notYet).hasMessageContainingAll("pvc-nas", ONE);
        }
        assertThatThrownBy(() -> stage(ONE))
                .isInstanceOf(StowageException.Unavailable.class)
                .hasMessageContainingAll("pvc-nas", "node-1", ONE);
        sh("nas_start");
        unstage();
        assertThat(mounts()).isEqualTo("0");
        stage(ONE);
        assertThat(STAGED.resolve("before")).hasContent("1");
        unstage();
        assertThat(mounts()).isEqualTo("0");
        assertThat(engine.remembered()).isEmpty();
    }

    private static void write(Path file) {
        try {
            Files.writeString(file, "2");
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
