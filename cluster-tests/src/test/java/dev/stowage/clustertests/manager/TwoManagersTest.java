package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.clustertests.TestNamespace;
import dev.stowage.workbench.cluster.Cluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two managers, of which one leads. */
@NeedsCluster
class TwoManagersTest {

    private static final int FAILOVER_SECONDS = 15;

    /** How often a manager tries to become or to stay the leader. */
    private static final int RETRY_SECONDS = 2;

    private final Cluster cluster;
    private final TestNamespace namespace;
    private final String driver;
    private final Managed managed;
    private final ManagerOnHost first;
    private final ManagerOnHost second;

    TwoManagersTest(Cluster cluster) {
        this.cluster = cluster;
        namespace = new TestNamespace(cluster);
        driver = namespace.name() + ".hostpath";
        managed = new Managed(cluster, namespace.name(), HostpathDriver.NAME);
        first = ManagerOnHost.start(cluster);
        second = ManagerOnHost.start(cluster);
    }

    @AfterEach
    void leaveNothing() {
        managed.delete();
        namespace.close();
        first.close();
        second.close();
    }

    @Test
    void whenTheOneThatLeadsIsKilledTheOtherRestoresWhatIsDeleted() {
        namespace.apply(HostpathDriver.small(
                HostpathDriver.NAME, cluster.nodes().getFirst().name(), driver));
        managed.awaitAvailable();
        managed.await("both stand for election", () -> first.stands() && second.stands());
        var leader = first.leads() ? first : second;
        var other = first.leads() ? second : first;
        assertThat(other.leads()).isFalse();
        // The other may see the last renewal one try late, and that there was none since, one more.
        assertThat(leaseSeconds() + 2 * RETRY_SECONDS).isLessThanOrEqualTo(FAILOVER_SECONDS);

        leader.kill();
        long death = System.nanoTime();
        managed.kubectl("delete", "storageclass/" + driver);
        managed.await(
                "the class is there again",
                () -> !managed.identity("storageclass/" + driver).isEmpty());
        System.out.printf(
                "the other manager worked %.1f s after the death of the first%n", (System.nanoTime() - death) / 1e9);

        assertThat(other.leads()).isTrue();
        managed.awaitAvailable();
    }

    private int leaseSeconds() {
        return Integer.parseInt(cluster.kubectl()
                .run(
                        "get",
                        "lease/stowage-manager",
                        "--namespace=default",
                        "--output=jsonpath={.spec.leaseDurationSeconds}"));
    }
}
