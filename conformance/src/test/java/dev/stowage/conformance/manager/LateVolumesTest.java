package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A volume that is attached while the manager looks whether any are. */
class LateVolumesTest {

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheClass(ManagedPlane.class, ManagedPlane::withoutManager);

    /** What happens while the manager looks for pods that have volumes. */
    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private boolean looksForUsers(HttpExchange exchange) {
        var uri = exchange.getRequestURI();
        if (uri.getPath().equals("/api/v1/pods") && !uri.toString().contains("labelSelector")) {
            meanwhile.getAndSet(() -> {}).run();
        }
        return true;
    }

    @Test
    void aDriverIsNotRemovedWithAVolumeThatIsProtectedAndWasSeen() {
        var plane = PLANE.get();
        var kubeconfig = RunningManager.kubeconfig(plane.workspace(), plane.plane(), "late");
        try (var _ = Passage.before(kubeconfig, this::looksForUsers);
                var _ = new RunningManager(plane.workspace(), kubeconfig, "late")) {
            var deployed = Deployed.nothing(client())
                    .apply(spec -> spec.put("protectVolumes", true))
                    .awaitSynced();
            var node = new OnNode(client(), deployed, "node-1");
            var attached = new AtomicReference<String>();
            meanwhile.set(() -> attached.set(node.attach("pv-late")));

            deployed.resource().delete();

            Eventually.assertThat(() -> assertThat(deployed.status().blockers()).containsExactly("pv-late on node-1"));
            assertThat(deployed.node().get()).isNotNull();
            node.detach(attached.get());
            Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
        }
    }
}
