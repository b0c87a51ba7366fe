package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.conformance.sidecar.RunningSidecar;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.apps.DaemonSetStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A driver that does not call itself what it is called. Nobody runs its pod but the test. */
class OtherNameTest {

    private static final String ANSWERED = "hostpath.csi.k8s.io";

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheRun(ManagedPlane.class, ManagedPlane::withManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private final Workspace workspace = Workspace.create();
    private final Deployed deployed = Deployed.nothing(client())
            .apply(spec -> spec.remove("driverControllerTemplate"))
            .awaitSynced();

    @AfterEach
    void close() {
        workspace.close();
    }

    @Test
    void whatItAnswersIsToldAndNothingIsRemovedForIt() throws IOException {
        var socket = workspace.root().resolve("csi.sock");
        try (var _ = RunningSidecar.startReferenceDriver(workspace, socket);
                var registrar = RunningSidecar.start(
                        workspace,
                        "registrar",
                        "registrar",
                        "--csi-address=" + socket,
                        "--kubelet-registration-path=" + socket,
                        "--plugin-registration-path=" + workspace.directory("registry"),
                        "--http-endpoint=:0")) {
            Eventually.assertThat(() -> assertThat(registrar.port()).isPositive());
            run(registrar.port());
            settle();

            Eventually.assertThat(() -> {
                assertThat(deployed.condition("SyncSuccessful")).isEqualTo("False");
                assertThat(deployed.message("SyncSuccessful")).contains(ANSWERED, deployed.driverName());
                assertThat(deployed.status().nodes())
                        .extracting(NodeStatus::message)
                        .singleElement()
                        .asString()
                        .contains(ANSWERED);
            });
            Eventually.assertThat(() -> assertThat(deployed.events())
                    .filteredOn(event -> event.getReason().equals("OtherName"))
                    .singleElement()
                    .extracting(Event::getMessage)
                    .asString()
                    .contains(ANSWERED));
            assertThat(deployed.node().get()).isNotNull();
            assertThat(deployed.driver().get()).isNotNull();

            deployed.edit(spec -> spec.put("driverName", ANSWERED));
            settle();
            deployed.awaitSynced();
        }
    }

    /** On one node. */
    private void run(int port) throws IOException {
        var registrar = new ContainerBuilder()
                .withName("csi-driver-registrar")
                .withImage("registrar:1")
                .withArgs("--http-endpoint=:" + port)
                .build();
        new AnsweringDriver(client(), deployed)
                .run(deployed.node().get().getSpec().getTemplate(), deployed.namespace() + "-a", registrar);
    }

    /** All that is to run runs, as Kubernetes would tell. */
    private void settle() {
        Eventually.assertThat(() -> deployed.node().editStatus(set -> {
            set.setStatus(new DaemonSetStatusBuilder()
                    .withObservedGeneration(set.getMetadata().getGeneration())
                    .withDesiredNumberScheduled(1)
                    .withCurrentNumberScheduled(1)
                    .withUpdatedNumberScheduled(1)
                    .withNumberAvailable(1)
                    .withNumberReady(1)
                    .withNumberMisscheduled(0)
                    .build());
            return set;
        }));
    }
}
