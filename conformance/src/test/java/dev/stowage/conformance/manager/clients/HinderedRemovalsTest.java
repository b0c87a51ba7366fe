package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What cannot be removed is told with its cause, and goes when the cause does. */
class HinderedRemovalsTest {

    private static final String FINALIZER = "example.com/not-yet";

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = ClientsPlane.shared();

    private static void rename(DeployedClient client) {
        client.edit(spec -> spec.put("csiConfig", Map.of("csiDriverName", client.namespace() + ".example.com")));
    }

    private static void finalizers(DeployedClient client, List<String> finalizers) {
        Eventually.assertThat(() -> client.csi().direct().edit(found -> {
            found.getMetadata().setFinalizers(finalizers);
            return found;
        }));
    }

    @Test
    void whatHasAFinalizerIsToldUntilItIsTakenOff() {
        var client = DeployedClient.whole(PLANE.get(), 1);
        String held = client.csi().direct().get().getMetadata().getName();
        finalizers(client, List.of(FINALIZER));

        rename(client);

        Eventually.assertThat(
                () -> assertThat(client.message("CsiDeployed")).contains(client.driverName(), held, FINALIZER));
        assertThat(client.reason("CsiDeployed")).isEqualTo("Progressing");
        assertThat(client.status().csiDriverName()).isEqualTo(client.driverName());

        finalizers(client, List.of());
        client.awaitDeployed();
        assertThat(client.message("CsiDeployed")).doesNotContain(held);
    }

    @Test
    void whatTheApiServerDoesNotLetGoIsTold() {
        var client = DeployedClient.whole(PLANE.get(), 1);
        String kept = client.csi().direct().get().getMetadata().getName();
        try (var _ = Undeletable.of(
                PLANE.get().client(),
                "storage.k8s.io",
                "storageclasses",
                client.csi().direct())) {
            rename(client);

            Eventually.assertThat(() -> {
                assertThat(client.reason("CsiDeployed"))
                        .as(client.message("CsiDeployed"))
                        .isEqualTo("Failed");
                assertThat(client.message("CsiDeployed")).contains(kept, Undeletable.WHY);
            });
            assertThat(client.condition("CsiDeployed")).isEqualTo("False");
        }

        // It is tried again anyway, if not at once. The end of a policy takes a while as well.
        Eventually.assertThat(() -> client.csi().direct().delete());
        client.awaitDeployed();
    }

    @Test
    void aNodeServerThatStaysAlthoughItsContainerIsGoneIsToldAlsoWhileADriverStaysAsItIs() {
        var client = DeployedClient.whole(PLANE.get(), 1);
        var server = client.nodeServer(client.node(1));
        String name = server.get().getMetadata().getName();
        try (var _ = Undeletable.of(PLANE.get().client(), "", "pods", server)) {
            // Nobody can tell what it wants, so that its container does not come back.
            client.edit(
                    spec -> spec.put("rawTolerations", List.of(Map.of("key", "storage", "tolerationSeconds", "5m"))));
            Eventually.assertThat(() -> assertThat(client.reason("CsiDeployed")).isEqualTo("Invalid"));

            PLANE.get()
                    .client()
                    .resource(client.container(client.node(1)).orElseThrow())
                    .delete();

            Eventually.assertThat(
                    () -> assertThat(client.message("CsiDeployed")).contains(name, Undeletable.WHY));
        }
        client.edit(spec -> spec.remove("rawTolerations")).awaitWhole();
    }
}
