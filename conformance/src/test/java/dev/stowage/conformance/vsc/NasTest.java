package dev.stowage.conformance.vsc;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CreateVolumeRequest;
import csi.v1.VolumeCapability;
import csi.v1.VolumeCapability.AccessMode.Mode;
import dev.stowage.arrayapi.ArrayServer;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscNode;
import dev.stowage.kube.vsc.VscVolume;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import dev.stowage.kube.vsc.VscVolumeAttachment.AttachType;
import dev.stowage.kube.vsc.VscVolumeAttachment.State;
import dev.stowage.linux.command.Commands;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** NAS volumes: who may mount them, seen by an NFS client that has the address of node {@code two}. */
class NasTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static VscCluster cluster;
    private static RunningArray array;
    private static int port;

    @BeforeAll
    static void start() throws IOException {
        cluster = VscCluster.start();
        cluster.storageClass(VscCluster.CLASS, true);
        port = RunningArray.freePort();
        array = cluster.array("array-1", "--nfs", "127.0.0.1:" + port);
        cluster.join(array, VscCluster.CLASS);
        cluster.awaitState("array-1", Vpsa.State.READY);
        cluster.node("one", "127.0.0.9");
        cluster.node("two", "127.0.0.1");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static VolumeCapability mounted(Mode mode) {
        return CsiClient.mounted("").toBuilder()
                .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode))
                .build();
    }

    private static CreateVolumeRequest.Builder volume(String name, Mode mode) {
        return VscCluster.blockVolume(name, 1).clearVolumeCapabilities().addVolumeCapabilities(mounted(mode));
    }

    private static VscVolumeAttachment attachment(String volume, String node) {
        return cluster.get(VscVolumeAttachment.class, volume + "." + node);
    }

    /** What a client that is not ours says; one that comes soon after the server's start is told to wait. */
    private static Commands.Result client(String program, String... arguments) {
        var command = new String[arguments.length + 1];
        command[0] = program;
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            var result = Commands.query(PATIENCE, command);
            if (!result.stderr().contains("NFS4ERR_GRACE") || System.nanoTime() > deadline) {
                return result;
            }
        }
    }

    private static String url(String export, String file) {
        int colon = export.indexOf(':');
        return "nfs://%s%s/%s?version=4&nfsport=%d"
                .formatted(export.substring(0, colon), export.substring(colon + 1), file, port);
    }

    private static boolean canWrite(String export, String file) throws IOException {
        var source = Files.createTempFile("stowage-nas", "");
        try {
            Files.writeString(source, "text");
            return client("nfs-cp", source.toString(), url(export, file)).exitCode() == 0;
        } finally {
            Files.delete(source);
        }
    }

    private static boolean canRead(String export) {
        return client("nfs-ls", url(export, "")).exitCode() == 0;
    }

    @Test
    void twoNodesShareAVolumeAndDetachingOneLeavesTheOther() throws IOException {
        var shared = mounted(Mode.MULTI_NODE_MULTI_WRITER);
        cluster.create(volume("pvc-shared", Mode.MULTI_NODE_MULTI_WRITER));

        var one = cluster.attach("pvc-shared", "one", shared);
        var two = cluster.attach("pvc-shared", "two", shared);

        String export = two.getOrDefault("export", "");
        assertThat(two).containsEntry("protocol", "nfs").doesNotContainKey("readOnly");
        assertThat(one).containsEntry("export", export);
        assertThat(cluster.attach("pvc-shared", "two", shared)).isEqualTo(two);
        for (var node : new String[] {"one", "two"}) {
            assertThat(attachment("pvc-shared", node).getSpec().attachType()).isEqualTo(AttachType.NFS);
            assertThat(attachment("pvc-shared", node).getStatus().state()).isEqualTo(State.READY);
        }
        assertThat(canWrite(export, "first")).isTrue();

        cluster.detach("pvc-shared", "one");
        assertThat(attachment("pvc-shared", "one")).isNull();
        assertThat(array.client().servers())
                .extracting(ArrayServer::displayName)
                .containsExactly("two");
        assertThat(canWrite(export, "second")).isTrue();

        cluster.detach("pvc-shared", "two");
        assertThat(array.client().servers()).isEmpty();
        assertThat(canRead(export)).isFalse();
        cluster.delete("pvc-shared");
    }

    @Test
    void aVolumeOfOneNodeGoesToAnotherWhenTheFirstHasLetGo() {
        var alone = mounted(Mode.SINGLE_NODE_WRITER);
        cluster.create(volume("pvc-alone", Mode.SINGLE_NODE_WRITER));
        var export = cluster.attach("pvc-alone", "one", alone).getOrDefault("export", "");

        Refused.with(Status.Code.FAILED_PRECONDITION, () -> cluster.attach("pvc-alone", "two", alone))
                .contains("node one");
        assertThat(canRead(export)).isFalse();

        cluster.detach("pvc-alone", "one");
        cluster.attach("pvc-alone", "two", alone);
        assertThat(canRead(export)).isTrue();
        cluster.detach("pvc-alone", "two");
        cluster.delete("pvc-alone");
        assertThat(cluster.get(VscVolume.class, "pvc-alone")).isNull();
    }

    @Test
    void aNodeThatGotAnotherAddressHasAccessByIt() {
        var alone = mounted(Mode.SINGLE_NODE_WRITER);
        cluster.node("moving", "127.0.0.8");
        cluster.create(volume("pvc-moving", Mode.SINGLE_NODE_WRITER));
        var export = cluster.attach("pvc-moving", "moving", alone).getOrDefault("export", "");
        assertThat(canRead(export)).isFalse();

        cluster.edit(
                VscNode.class,
                "moving",
                node -> node.setSpec(new VscNode.Spec(
                        "moving",
                        null,
                        new VscNode.Nas("127.0.0.1"),
                        node.getSpec().block())));

        Eventually.assertThat(() -> assertThat(canRead(export)).isTrue());
        cluster.detach("pvc-moving", "moving");
        cluster.delete("pvc-moving");
    }

    @Test
    void whatIsAttachedForReadingCannotBeWritten() throws IOException {
        cluster.create(volume("pvc-read", Mode.MULTI_NODE_READER_ONLY));

        var context = cluster.attach("pvc-read", "two", mounted(Mode.MULTI_NODE_READER_ONLY), true);

        String export = context.getOrDefault("export", "");
        assertThat(context).containsEntry("readOnly", "true");
        assertThat(canRead(export)).isTrue();
        assertThat(canWrite(export, "no")).isFalse();
        cluster.detach("pvc-read", "two");
        cluster.delete("pvc-read");
    }
}
