package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several managers, and many deployments. */
class LeadersTest {

    private static final int MANY = 50;

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheClass(ManagedPlane.class, ManagedPlane::withoutManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private static RunningManager start(String name) {
        return new RunningManager(PLANE.get().workspace(), PLANE.get().plane(), name);
    }

    @Test
    void ofTwoManagersOneWorksAndWhenItDiesTheOtherDoes() {
        try (var first = start("first")) {
            Eventually.assertThat(() -> assertThat(first.leads()).isTrue());
            try (var second = start("second")) {
                var before = Deployed.whole(client());
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
    void manyDeploymentsAtOnceAreAllMadeAndThenNothingIsWritten() {
        PLANE.get().forgetTheLeader();
        try (var manager = start("many")) {
            Eventually.assertThat(() -> assertThat(manager.leads()).isTrue());
            var all = new ArrayList<Deployed>();
            for (int index = 0; index < MANY; index++) {
                all.add(Deployed.nothing(client()));
            }
            long began = System.nanoTime();
            all.forEach(deployed -> deployed.apply(spec -> {}));
            all.forEach(Deployed::awaitSynced);
            System.out.printf("%d deployments were made in %.1f s%n", MANY, (System.nanoTime() - began) / 1e9);
            assertThat(all)
                    .allSatisfy(
                            deployed -> assertThat(deployed.status().children()).hasSize(10));

            // Ten objects are looked for, tried, made and told of. Twice that would be work that is done again.
            Costs.assertAffordable(manager, MANY, 60);
            Idleness.assertThatItWritesNothing(manager);
        }
    }
}
