package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.cluster.ControlPlane;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A manager that dies with one of its writes, and another that goes on.
 *
 * <p>What the writes are is not known here, so they are counted: {@code -Dstowage.kills=all} goes through every one, a number through so
 * many of each kind of change, chosen by {@code -Dstowage.seed}.
 */
class KilledManagerTest {

    /** More than any change of one deployment needs. */
    private static final int MOST_WRITES = 60;

    private static Workspace workspace;
    private static ControlPlane plane;

    private final AtomicInteger number = new AtomicInteger();
    private final long seed = Long.getLong("stowage.seed", System.nanoTime());
    private final Random random = new Random(seed);

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

    private interface Change {
        void make(Deployed deployed);
    }

    private interface Outcome {
        void check(Deployed deployed);
    }

    @Test
    void whatItWasMakingIsMadeWhole() {
        everywhere(Deployed::nothing, deployed -> deployed.apply(spec -> {}), deployed -> {
            deployed.awaitSynced();
            assertThat(deployed.status().children()).hasSize(10);
            assertThat(deployed.node().get()).isNotNull();
            assertThat(deployed.controller().get()).isNotNull();
        });
    }

    @Test
    void whatItWasChangingIsChanged() {
        everywhere(
                Deployed::whole,
                deployed -> deployed.edit(spec -> {
                    spec.remove("driverControllerTemplate");
                    spec.put("csiDriver", Map.of("attachRequired", false));
                    spec.put("nodeUpdateStrategy", "OnDelete");
                    spec.put(
                            "storageClassTemplates",
                            ((List<?>) Objects.requireNonNull(spec.get("storageClassTemplates"))).subList(0, 1));
                }),
                deployed -> {
                    deployed.awaitSynced();
                    assertThat(deployed.controller().get()).isNull();
                    assertThat(deployed.storageClass("one").get()).isNotNull();
                    Eventually.assertThat(
                            () -> assertThat(deployed.storageClass("two").get()).isNull());
                    assertThat(deployed.driver().get().getSpec().getAttachRequired())
                            .isFalse();
                    assertThat(deployed.node()
                                    .get()
                                    .getSpec()
                                    .getUpdateStrategy()
                                    .getType())
                            .isEqualTo("OnDelete");
                });
    }

    @Test
    void whatItWasRemovingIsGone() {
        everywhere(Deployed::whole, deployed -> deployed.resource().delete(), deployed -> {
            Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
            assertThat(deployed.node().get()).isNull();
            assertThat(deployed.controller().get()).isNull();
            assertThat(deployed.driver().get()).isNull();
            assertThat(deployed.storageClass("one").get()).isNull();
            assertThat(plane.client()
                            .rbac()
                            .clusterRoles()
                            .withLabel("csidriver.storage.openshift.io/owner-namespace", deployed.namespace())
                            .list()
                            .getItems())
                    .isEmpty();
        });
    }

    private interface Beginning {
        Deployed in(io.fabric8.kubernetes.client.KubernetesClient client);
    }

    private void everywhere(Beginning beginning, Change change, Outcome outcome) {
        String wish = System.getProperty("stowage.kills", "2");
        boolean all = wish.equals("all");
        int kills = all ? MOST_WRITES : Integer.parseInt(wish);
        int killed = 0;
        for (int kill = 1; kill <= kills; kill++) {
            int write = all ? kill : 1 + random.nextInt(8);
            if (!once(write, beginning, change, outcome)) {
                break;
            }
            killed++;
        }
        assertThat(killed).as("managers killed").isPositive();
        System.out.printf("%d managers were killed in the middle of it%n", killed);
    }

    /** @return whether the manager had so many writes to do */
    private boolean once(int write, Beginning beginning, Change change, Outcome outcome) {
        String name = "killed-" + number.incrementAndGet();
        forgetTheLeader();
        var kubeconfig = RunningManager.kubeconfig(workspace, plane, name);
        try (var deadly = DeadlyWrites.before(kubeconfig);
                var victim = new RunningManager(workspace, kubeconfig, name)) {
            Eventually.assertThat(() -> assertThat(victim.leads()).isTrue());
            var deployed = beginning.in(plane.client());
            deadly.arm(write, victim::kill);
            change.make(deployed);
            if (!diesWithinItsWork(victim, deadly)) {
                outcome.check(deployed);
                return false;
            }
            forgetTheLeader();
            try (var next = new RunningManager(workspace, plane, name + "-next")) {
                try {
                    outcome.check(deployed);
                } catch (AssertionError failed) {
                    throw new AssertionError(
                            "after the death with write %d, seed %d: %s".formatted(write, seed, next.log()), failed);
                }
            }
            return true;
        }
    }

    /** One that has fewer writes to do than it may live for is done some time after the last. */
    private static boolean diesWithinItsWork(RunningManager victim, DeadlyWrites deadly) {
        try {
            Eventually.assertThat(
                    Duration.ofSeconds(20), () -> assertThat(deadly.struck()).isTrue());
            return true;
        } catch (AssertionError stillThere) {
            return !victim.running();
        }
    }

    /** So that the next one need not wait until it is sure that the former is dead. */
    private static void forgetTheLeader() {
        plane.client()
                .leases()
                .inNamespace("default")
                .withName("stowage-manager")
                .delete();
    }
}
