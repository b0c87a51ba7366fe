package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.cluster.ControlPlane;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Several managers, and many deployments. */
class LeadersTest {

    private static final int MANY = 50;

    private static Workspace workspace;
    private static ControlPlane plane;

    @BeforeAll
    static void start() {
        workspace = Workspace.create();
        plane = ControlPlane.start(workspace.directory("plane"));
    }

    @AfterAll
    static void stop() {
        plane.close();
        workspace.close();
    }

    @Test
    void ofTwoManagersOneWorksAndWhenItDiesTheOtherDoes() {
        try (var first = new RunningManager(workspace, plane, "first")) {
            Eventually.assertThat(() -> assertThat(first.leads()).isTrue());
            try (var second = new RunningManager(workspace, plane, "second")) {
                var before = Deployed.whole(plane.client());
                assertThat(second.leads()).isFalse();

                first.kill();
                long death = System.nanoTime();
                before.storageClass("two").delete();

                Eventually.assertThat(
                        () -> assertThat(before.storageClass("two").get()).isNotNull());
                System.out.printf(
                        "the other manager worked %.1f s after the death of the first%n",
                        (System.nanoTime() - death) / 1e9);
                assertThat(second.leads()).isTrue();
            }
        }
    }

    @Test
    void manyDeploymentsAtOnceAreAllMadeAndThenNothingIsWritten() throws InterruptedException {
        plane.client()
                .leases()
                .inNamespace("default")
                .withName("stowage-manager")
                .delete();
        try (var manager = new RunningManager(workspace, plane, "many")) {
            Eventually.assertThat(() -> assertThat(manager.leads()).isTrue());
            var all = new ArrayList<Deployed>();
            for (int index = 0; index < MANY; index++) {
                all.add(Deployed.nothing(plane.client()));
            }
            long began = System.nanoTime();
            all.forEach(deployed -> deployed.apply(spec -> {}));
            all.forEach(Deployed::awaitSynced);
            System.out.printf("%d deployments were made in %.1f s%n", MANY, (System.nanoTime() - began) / 1e9);
            assertThat(all)
                    .allSatisfy(
                            deployed -> assertThat(deployed.status().children()).hasSize(10));

            long writes = settledWrites(manager);
            Thread.sleep(5_000);
            assertThat(writes(manager)).as("writes of an idle manager").isEqualTo(writes);
        }
    }

    /** Waits until the last of it is told. */
    private static long settledWrites(RunningManager manager) throws InterruptedException {
        long before = -1;
        long now = writes(manager);
        while (before != now) {
            before = now;
            Thread.sleep(2_000);
            now = writes(manager);
        }
        return now;
    }

    /** Of the client that works; elections have another. */
    private static long writes(RunningManager manager) {
        var figures = manager.figures();
        return (long) (figures.sum("rest_client_requests_total", "client=\"work\"")
                - figures.sum("rest_client_requests_total", "client=\"work\",code=\"200\",method=\"GET\"")
                - figures.sum("rest_client_requests_total", "client=\"work\",code=\"404\",method=\"GET\""));
    }
}
