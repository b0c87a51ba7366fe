package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A manager that dies with one of its writes for a deployment, and another that goes on; see {@link Kills}. */
class KilledManagerTest {

    /** Every change here takes more. */
    private static final int SURE_WRITES = 8;

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheClass(ManagedPlane.class, ManagedPlane::withoutManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private static void everywhere(
            Function<KubernetesClient, Deployed> beginning, Consumer<Deployed> change, Consumer<Deployed> outcome) {
        new Kills(PLANE.get()).everywhere(SURE_WRITES, () -> beginning.apply(client()), change, outcome);
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
            assertThat(client().rbac()
                            .clusterRoles()
                            .withLabel("csidriver.storage.openshift.io/owner-namespace", deployed.namespace())
                            .list()
                            .getItems())
                    .isEmpty();
        });
    }
}
