package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Idleness;
import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.manager.RunningManager;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.weka.WekaContainer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A hundred nodes, and nothing to do. */
class ManyClientsTest {

    private static final int MANY = 100;

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = Lasting.forTheClass(ClientsPlane.class, ClientsPlane::withManager);

    @Test
    void aHundredContainersAreMadeAndThenNothingIsWritten() {
        var deployed = DeployedClient.nothing(PLANE.get(), MANY);
        long began = System.nanoTime();
        // Who selects nothing is on all nodes.
        deployed.apply(spec -> spec.remove("nodeSelector")).awaitWhole();
        System.out.printf("%d clients with their drivers ran after %.1f s%n", MANY, (System.nanoTime() - began) / 1e9);

        Idleness.assertThatNothingIsWrittenOf(PLANE.get().managed().manager(), () -> {
            for (int node = 1; node <= MANY; node++) {
                PLANE.get().nodes().heartbeat(deployed.node(node));
            }
        });

        var before = versions();
        PLANE.get().stopManager();
        PLANE.get().startManager();
        Idleness.assertThatItWritesNothing(awaitWork());
        assertThat(versions()).as("what a manager writes that takes over").isEqualTo(before);
    }

    private static RunningManager awaitWork() {
        var manager = PLANE.get().managed().manager();
        Eventually.assertThat(() -> assertThat(manager.figures().sum("rest_client_requests_total", "client=\"work\""))
                .isPositive());
        Eventually.assertThat(() -> assertThat(manager.leads()).isTrue());
        return manager;
    }

    /** Of all that the manager makes, or writes into. */
    private static Map<String, String> versions() {
        var client = PLANE.get().client();
        return Stream.<List<? extends HasMetadata>>of(
                        client.nodes().list().getItems(),
                        client.pods().inAnyNamespace().list().getItems(),
                        client.resources(WekaContainer.class)
                                .inAnyNamespace()
                                .list()
                                .getItems(),
                        client.apps().deployments().inAnyNamespace().list().getItems(),
                        client.storage().v1().storageClasses().list().getItems(),
                        client.storage().v1().csiDrivers().list().getItems(),
                        client.rbac().clusterRoles().list().getItems())
                .flatMap(List::stream)
                .collect(Collectors.toMap(
                        object -> object.getKind() + " " + object.getMetadata().getName(),
                        object -> object.getMetadata().getResourceVersion()));
    }
}
