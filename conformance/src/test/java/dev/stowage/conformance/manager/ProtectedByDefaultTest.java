package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A manager that protects volumes unless a deployment says otherwise. */
class ProtectedByDefaultTest {

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE =
            Lasting.forTheClass(ManagedPlane.class, () -> ManagedPlane.withManager("--protect-volumes"));

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private static Deployed deployed(Consumer<Map<String, Object>> change) {
        return Deployed.nothing(client()).apply(change).awaitSynced();
    }

    private static OnNode on(Deployed deployed) {
        return new OnNode(client(), deployed, "node-1");
    }

    @Test
    void aDeploymentThatSaysNothingWaitsForItsVolumes() {
        var deployed = deployed(spec -> {});
        String attachment = on(deployed).attach("pv-by-default");

        deployed.resource().delete();

        Eventually.assertThat(
                () -> assertThat(deployed.status().blockers()).containsExactly("pv-by-default on node-1"));
        assertThat(deployed.node().get()).isNotNull();
        on(deployed).detach(attachment);
        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
    }

    @Test
    void aDeploymentThatWantsNoProtectionIsRemovedAtOnce() {
        var deployed = deployed(spec -> spec.put("protectVolumes", false));
        on(deployed).attach("pv-not-protected");

        deployed.resource().delete();

        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
        assertThat(deployed.node().get()).isNull();
    }
}
