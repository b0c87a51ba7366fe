package dev.stowage.conformance.vsc;

import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.VolumeCapability;
import dev.stowage.conformance.cluster.Member;
import dev.stowage.conformance.harness.Spawning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A node's driver and its initiator, each the real process, and what a kubelet asks of them. */
final class RunningNode implements AutoCloseable {

    private static final int CALL_SECONDS = 60;

    private final VscCluster cluster;
    private final String name;
    private final Path directory;
    private final Process initiator;
    private volatile Member driver;

    RunningNode(VscCluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
        this.directory = cluster.workspace().directory(name);
        try {
            initiator = Spawning.start(new ProcessBuilder(
                            Path.of(System.getenv("STOWAGE_HOME"), "stowage").toString(),
                            "initiator",
                            "--directory",
                            units().toString())
                    .redirectErrorStream(true)
                    .redirectOutput(cluster.workspace()
                            .root()
                            .resolve(name + ".initiator.log")
                            .toFile()));
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
        driver = launch();
    }

    private Member launch() {
        return cluster.member(
                name,
                List.of(
                        "--backend",
                        "vsc",
                        "--role",
                        "node",
                        "--node-id",
                        name,
                        "--node-ip",
                        "127.0.0.1",
                        "--state-directory",
                        directory.resolve("state").toString(),
                        "--initiator",
                        "qemu",
                        "--initiator-directory",
                        units().toString()));
    }

    /** The path of a socket must be short. */
    private Path units() {
        return cluster.workspace().directory("i");
    }

    String name() {
        return name;
    }

    /** Its driver ends without a goodbye, and another starts. */
    void killDriver() {
        driver.kill();
        driver = launch();
    }

    Path published(String volume) {
        return directory.resolve("pods").resolve(volume);
    }

    private Path staging(String volume) {
        return cluster.workspace().directory(name + "/staging/" + volume);
    }

    void stage(String volume, VolumeCapability use, Map<String, String> context) {
        driver.csi()
                .node()
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setStagingTargetPath(staging(volume).toString())
                        .setVolumeCapability(use)
                        .putAllPublishContext(context)
                        .build());
    }

    void publish(String volume, VolumeCapability use, Map<String, String> context) {
        cluster.workspace().directory(name + "/pods");
        driver.csi()
                .node()
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setStagingTargetPath(staging(volume).toString())
                        .setTargetPath(published(volume).toString())
                        .setVolumeCapability(use)
                        .putAllPublishContext(context)
                        .build());
    }

    void unpublish(String volume) {
        driver.csi()
                .node()
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setTargetPath(published(volume).toString())
                        .build());
    }

    void unstage(String volume) {
        driver.csi()
                .node()
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setStagingTargetPath(staging(volume).toString())
                        .build());
    }

    /** Everything on this machine that stands for a volume of this node: mounts, loop devices, logged in units. */
    List<String> inUse() {
        var left = cluster.workspace().leftovers().stream()
                .filter(path -> path.contains(directory.toString()) || path.contains(units().toString()))
                .toList();
        try (var files = Files.list(units())) {
            var logins = files.filter(Files::isDirectory).map(Path::toString).toList();
            return Stream.concat(left.stream(), logins.stream()).toList();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        driver.stop();
        initiator.destroy();
        try {
            if (!initiator.waitFor(60, TimeUnit.SECONDS)) {
                initiator.destroyForcibly();
                throw new IllegalStateException("the initiator of " + name + " did not end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
