package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of what a driver can do: it is told late, or in vain, or the cluster has no use for it. Nobody runs its pod but the test. */
class DriverAbilitiesTest {

    private static final String GATE = "--feature-gates=CSIVolumeGroupSnapshot=true";
    private static final String SNAPSHOTS =
            "\"CREATE_DELETE_SNAPSHOT\", \"CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT\", \"PUBLISH_UNPUBLISH_VOLUME\"";

    /** What a cluster serves is looked at again when a deployment comes up, but not more often than once a minute. */
    private static final Duration UNTIL_IT_LOOKS_AGAIN = Duration.ofMinutes(3);

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheClass(ManagedPlane.class, ManagedPlane::withManager);

    private final Deployed deployed = Deployed.whole(client());

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private void runController(int port) throws IOException {
        var probe = new ContainerBuilder()
                .withName("csi-probe")
                .withImage("stowage:test")
                .withArgs("sidecar", "liveness", "--health-port=" + port)
                .build();
        new AnsweringDriver(client(), deployed)
                .run(deployed.controller().get().getSpec().getTemplate(), "node", probe);
    }

    private List<Container> sidecars() {
        return deployed.controller().get().getSpec().getTemplate().getSpec().getContainers();
    }

    private List<String> argumentsOfTheSnapshotter() {
        return sidecars().stream()
                .filter(each -> each.getName().equals("csi-snapshotter"))
                .flatMap(each -> each.getArgs().stream())
                .toList();
    }

    private List<String> told(String reason) {
        return deployed.events().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getMessage)
                .toList();
    }

    @Test
    void groupsAreLeftOutUntilTheClusterServesThemAndSnapshotsAreMadeMeanwhile() throws IOException {
        try (var page = TestingDriverPage.at(0, deployed.driverName(), SNAPSHOTS)) {
            runController(page.port());

            Eventually.assertThat(() -> {
                assertThat(argumentsOfTheSnapshotter()).isNotEmpty().doesNotContain(GATE);
                assertThat(deployed.condition("SyncSuccessful")).isEqualTo("True");
                assertThat(deployed.message("SyncSuccessful"))
                        .contains("groupsnapshot.storage.k8s.io/v1beta1", "snapshotter:test", "groupSnapshots");
                assertThat(told("LeftOut")).hasSize(1);
            });
            assertThat(Objects.requireNonNull(deployed.status().driver()).capabilities())
                    .contains("CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT");
            Idleness.assertThatItWritesNothing(PLANE.get().manager());

            install("VolumeGroupSnapshotClass", "volumegroupsnapshotclasses");
            install("VolumeGroupSnapshotContent", "volumegroupsnapshotcontents");

            Eventually.assertThat(UNTIL_IT_LOOKS_AGAIN, () -> {
                // So that it comes up, as it would by itself some minutes later.
                deployed.resource().edit(found -> {
                    found.getMetadata().getAnnotations().put("test", String.valueOf(System.nanoTime()));
                    return found;
                });
                Thread.sleep(1_000);
                assertThat(argumentsOfTheSnapshotter()).contains(GATE);
                assertThat(deployed.message("SyncSuccessful")).isEmpty();
            });
            assertThat(told("LeftOut")).hasSize(1);
        }
    }

    private static void install(String kind, String plural) {
        client().resource(new CustomResourceDefinitionBuilder()
                        .withNewMetadata()
                        .withName(plural + ".groupsnapshot.storage.k8s.io")
                        .addToAnnotations("api-approved.kubernetes.io", "unapproved, this is a test")
                        .endMetadata()
                        .withNewSpec()
                        .withGroup("groupsnapshot.storage.k8s.io")
                        .withScope("Cluster")
                        .withNewNames()
                        .withKind(kind)
                        .withPlural(plural)
                        .endNames()
                        .addNewVersion()
                        .withName("v1beta1")
                        .withServed(true)
                        .withStorage(true)
                        .withNewSchema()
                        .withNewOpenAPIV3Schema()
                        .withType("object")
                        .endOpenAPIV3Schema()
                        .endSchema()
                        .endVersion()
                        .endSpec()
                        .build())
                .create();
    }

    @Test
    void aDriverThatCannotBeReachedIsToldAndAskedAgainUntilItTells() throws IOException {
        int port;
        try (var page = TestingDriverPage.at(0, deployed.driverName(), SNAPSHOTS)) {
            port = page.port();
        }
        runController(port);

        Eventually.assertThat(() -> {
            assertThat(deployed.message("SyncSuccessful"))
                    .contains(
                            deployed.namespace() + "/driver",
                            "connection refused",
                            "spec.sidecars.resizer, spec.sidecars.snapshotter");
            assertThat(told("NotTold")).hasSize(1);
        });
        assertThat(deployed.condition("SyncSuccessful")).isEqualTo("True");
        assertThat(argumentsOfTheSnapshotter()).isEmpty();
        Idleness.assertThatItWritesNothing(PLANE.get().manager());

        try (var _ = TestingDriverPage.at(port, deployed.driverName(), "\"EXPAND_VOLUME\"")) {
            Eventually.assertThat(UNTIL_IT_LOOKS_AGAIN, () -> {
                assertThat(sidecars()).extracting(Container::getName).contains("csi-resizer");
                assertThat(deployed.message("SyncSuccessful")).isEmpty();
            });
        }
        assertThat(told("NotTold")).hasSize(1);
    }
}
