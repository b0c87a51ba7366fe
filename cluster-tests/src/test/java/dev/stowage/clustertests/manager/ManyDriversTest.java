package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.clustertests.TestNamespace;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many drivers at once, on nodes that really run them: {@code -Dstowage.drivers=50} for fifty. */
@NeedsCluster(nodes = 2)
class ManyDriversTest {

    private static final int DRIVERS = Integer.getInteger("stowage.drivers", 2);

    /** Each of them is a pod, which a machine with few cores starts one after the other. */
    private static final Duration PATIENCE = Duration.ofMinutes(3).plusSeconds(15L * DRIVERS);

    private final Cluster cluster;
    private final TestNamespace namespace;

    ManyDriversTest(Cluster cluster) {
        this.cluster = cluster;
        namespace = new TestNamespace(cluster);
    }

    private Managed managed(int index) {
        return new Managed(cluster, namespace.name(), HostpathDriver.NAME + "-" + index);
    }

    private String manifest(int index) {
        var nodes = cluster.nodes();
        return HostpathDriver.small(
                managed(index).name(), nodes.get(index % nodes.size()).name(), namespace.name() + "." + index);
    }

    @Test
    @Tag("long")
    void driversThatComeAtOnceAllRunAndGoAtOnce() {
        try (var _ = ManagerOnHost.start(cluster)) {
            long began = System.nanoTime();
            namespace.apply(IntStream.range(0, DRIVERS).mapToObj(this::manifest).collect(Collectors.joining("---\n")));
            assertThat(Waiting.until(PATIENCE, () -> registered().size() == DRIVERS))
                    .as(() -> "only these are registered: " + registered())
                    .isTrue();
            IntStream.range(0, DRIVERS).forEach(index -> managed(index).awaitAvailable());
            System.out.printf("%d drivers ran after %.1f s%n", DRIVERS, (System.nanoTime() - began) / 1e9);

            namespace.kubectl("delete", "csidriverdeployments", "--all", "--timeout=240s");
            assertThat(Waiting.until(Managed.PATIENCE, () -> registered().isEmpty()))
                    .as(() -> "still registered: " + registered())
                    .isTrue();
        } finally {
            namespace.close();
        }
    }

    /** The drivers that kubelets know. */
    private List<String> registered() {
        return cluster.kubectl()
                .run(
                        "get",
                        "csinodes",
                        "--output=go-template={{range .items}}{{range .spec.drivers}}{{.name}}{{\"\\n\"}}{{end}}{{end}}")
                .lines()
                .filter(name -> name.startsWith(namespace.name() + "."))
                .toList();
    }
}
