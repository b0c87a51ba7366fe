package dev.stowage.clustertests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.ClusterNode;
import dev.stowage.workbench.cluster.Layout;
import dev.stowage.workbench.cluster.Leftovers;
import dev.stowage.workbench.cluster.Tools;
import dev.stowage.workbench.process.Daemons;
import dev.stowage.workbench.process.ProcessIdentity;
import dev.stowage.workbench.story.Story;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A second cluster beside the one that the other tests share, started and taken away. */
@NeedsCluster
class ClusterLifeTest {
    private final Cluster other;
    private final Layout layout = Layout.of("life-" + ProcessHandle.current().pid(), Layout.defaultParent());
    private final Story story = new Story(System.out, false);

    ClusterLifeTest(Cluster other) {
        this.other = other;
    }

    @AfterEach
    void takeItDown() {
        Cluster.down(layout, story);
    }

    @Test
    void takenDownItLeavesNothingAndTheOtherClusterGoesOn() throws IOException {
        var mounts = mounts();
        var devices = networkDevices();

        var cluster = up();
        assertThat(cluster.healthy()).isTrue();
        cluster.kubectl()
                .run(
                        "run",
                        "idle",
                        "--image=localhost/busybox:1",
                        "--restart=Never",
                        "--command",
                        "--",
                        "sleep",
                        "3600");
        cluster.kubectl().run("wait", "--for=condition=Ready", "--timeout=180s", "pod/idle");
        var device = attachALoopDevice(cluster.nodes().getFirst());
        assertThat(new Leftovers(layout).list()).contains("a loop device: " + device);
        Cluster.down(layout, story);

        assertThat(new Leftovers(layout).list()).isEmpty();
        assertThat(mounts()).isEqualTo(mounts);
        assertThat(networkDevices()).isEqualTo(devices);
        assertThat(other.healthy()).isTrue();
    }

    @Test
    void startedAgainItIsTheSameCluster() {
        up();
        var processes = processes();

        var again = up();

        assertThat(processes()).isEqualTo(processes);
        assertThat(again.healthy()).isTrue();
    }

    @Test
    void whatHasEndedIsStartedAgainAndTheRestIsLeftAlone() {
        var cluster = up();
        cluster.kubectl().run("create", "namespace", "kept");
        var daemons = new Daemons(layout.state());
        for (var part : List.of("kube-apiserver", "network", "node-1")) {
            daemons.kill(part);
        }

        up();

        assertThat(cluster.kubectl().run("get", "namespace", "kept", "--no-headers"))
                .startsWith("kept");
        cluster.awaitReady("node-1");
    }

    @Test
    void aStartThatWasCutOffIsTakenAwayWhole() {
        up();
        // As if the process that started it had died before it could write down whom it had started.
        for (var record : List.of("etcd", "node-1", "node-1.kubelet")) {
            assertThat(layout.state()
                            .resolve("processes")
                            .resolve(record)
                            .toFile()
                            .delete())
                    .isTrue();
        }

        Cluster.down(layout, story);

        assertThat(new Leftovers(layout).list()).isEmpty();
    }

    private Cluster up() {
        return Cluster.up(layout, Optional.of(1), Tools.fromEnvironment(), story);
    }

    /** As a driver does in a pod, and then dies with the node. */
    private static String attachALoopDevice(ClusterNode node) {
        var limit = Duration.ofSeconds(30);
        node.run(limit, List.of("truncate", "--size=16M", "/var/lib/volume")).orThrow();
        return node.run(limit, List.of("losetup", "--find", "--show", "/var/lib/volume"))
                .orThrow()
                .strip();
    }

    private List<Long> processes() {
        return new Daemons(layout.state())
                .marked().stream().map(ProcessIdentity::pid).sorted().toList();
    }

    /** Without those of other tests that may run on this machine. */
    private static List<String> mounts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(mount -> !mount.contains(" /tmp/stowage-"))
                .toList();
    }

    private static List<String> networkDevices() throws IOException {
        try (var devices = Files.list(Path.of("/sys/class/net"))) {
            return devices.map(Path::getFileName).map(Path::toString).sorted().toList();
        }
    }
}
