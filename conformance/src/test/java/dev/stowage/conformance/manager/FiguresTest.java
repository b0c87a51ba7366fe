package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachmentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the manager tells Prometheus is true, and is all that the dashboard asks for. */
class FiguresTest {

    private static final String MANIFEST = """
            apiVersion: csidriver.storage.openshift.io/v1alpha1
            kind: CSIDriverDeployment
            metadata: {name: %1$s, namespace: default}
            spec:
              driverName: %1$s.example.com
              driverSocket: %2$s
              protectVolumes: true
              driverPerNodeTemplate:
                spec:
                  containers:
                  - {name: csi-driver, image: "driver:1", securityContext: {privileged: true}}
              driverControllerTemplate:
                spec:
                  containers:
                  - {name: csi-driver, image: "driver:1"}
            """;

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheRun(ManagedPlane.class, ManagedPlane::withManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    /** As soon as it serves them. */
    @BeforeAll
    static void awaitReady() {
        Eventually.assertThat(
                () -> assertThat(manager().http().get("/readyz").statusCode()).isEqualTo(200));
    }

    private static RunningManager manager() {
        return PLANE.get().manager();
    }

    private static Resource<CsiDriverDeployment> apply(String name, String socket) {
        String text = MANIFEST.formatted(name, socket);
        client().load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .create();
        return client().resources(CsiDriverDeployment.class)
                .inNamespace("default")
                .withName(name);
    }

    private static String whose(String name) {
        return "namespace=\"default\",name=\"" + name + "\"";
    }

    private static String condition(String name, String type, String status) {
        return "stowage_manager_deployment_condition{%s,condition=\"%s\",status=\"%s\"}"
                .formatted(whose(name), type, status);
    }

    @Test
    void statesAreToldByWhoeverLeadsAndNobodyElse() {
        var deployment = apply("led", "/csi/csi.sock");
        try (var second =
                new RunningManager(PLANE.get().workspace(), PLANE.get().plane(), "second")) {
            Eventually.assertThat(() -> {
                var told = manager().figures();
                assertThat(told.of("leader_election_master_status{name=\"stowage-manager\"}"))
                        .isEqualTo(1);
                assertThat(told.of("stowage_manager_deployments{state=\"Managed\"}"))
                        .isPositive();
                assertThat(told.of(condition("led", "SyncSuccessful", "true"))).isEqualTo(1);
                assertThat(told.of(condition("led", "SyncSuccessful", "false"))).isZero();
                assertThat(told.of("stowage_manager_deployment_children{" + whose("led") + "}"))
                        .isEqualTo(8);
                assertThat(told.of("stowage_manager_deployment_observed_generation{" + whose("led") + "}"))
                        .isEqualTo(told.of("stowage_manager_deployment_generation{" + whose("led") + "}"));
                assertThat(told.of("stowage_manager_deployment_nodes_wanted{" + whose("led") + "}"))
                        .isZero();
            });
            Eventually.assertThat(
                    () -> assertThat(second.http().get("/readyz").statusCode()).isEqualTo(200));
            assertThat(second.http().get("/healthz").statusCode()).isEqualTo(200);
            assertThat(second.figures().of("leader_election_master_status{name=\"stowage-manager\"}"))
                    .isZero();
            assertThat(second.figures().names()).doesNotContain("stowage_manager_deployments");
        }
        deployment.delete();
    }

    @Test
    void whatIsRestoredRefusedAndAskedIsCountedAndNothingIsLeftOfWhatIsGone() {
        var deployment = apply("counted", "/csi/csi.sock");
        var node = client().apps().daemonSets().inNamespace("default").withName("counted-node");
        Eventually.assertThat(() -> assertThat(node.get()).isNotNull());
        Eventually.assertThat(() -> assertThat(manager().figures().of(condition("counted", "SyncSuccessful", "true")))
                .isEqualTo(1));
        node.delete();

        Eventually.assertThat(() -> {
            var told = manager().figures();
            assertThat(told.of("stowage_manager_restored_total{" + whose("counted") + ",kind=\"DaemonSet\"}"))
                    .isEqualTo(1);
            assertThat(told.sum("stowage_manager_reconciles_total", "result=\"done\""))
                    .isPositive();
            assertThat(told.of("stowage_manager_reconcile_duration_seconds_count{name=\"csidriverdeployments\"}"))
                    .isEqualTo(told.sum("stowage_manager_reconciles_total", "result"));
            assertThat(told.sum("rest_client_requests_total", "client=\"work\",code=\"201\",method=\"POST\""))
                    .isGreaterThanOrEqualTo(8);
            assertThat(told.sum("rest_client_requests_total", "client=\"work\",code=\"403\""))
                    .as("the chart's rights suffice")
                    .isZero();
            assertThat(told.sum("rest_client_requests_total", "client=\"election\""))
                    .isPositive();
        });
        var wrong = apply("wrong", "not-absolute");
        Eventually.assertThat(() -> {
            assertThat(manager().figures().of("stowage_manager_refused_total{" + whose("wrong") + "}"))
                    .isEqualTo(1);
            assertThat(manager().figures().of(condition("wrong", "SyncSuccessful", "false")))
                    .isEqualTo(1);
        });

        wrong.delete();
        deployment.delete();

        Eventually.assertThat(() -> assertThat(manager().figures().series().keySet())
                .noneMatch(series -> series.contains("name=\"wrong\"") || series.contains("name=\"counted\"")));
    }

    @Test
    void volumesThatHoldADeletionUpAreCounted() {
        var deployment = apply("held", "/csi/csi.sock");
        Eventually.assertThat(() -> assertThat(manager().figures().of(condition("held", "SyncSuccessful", "true")))
                .isEqualTo(1));
        var attachment = client().resource(new VolumeAttachmentBuilder()
                .withNewMetadata()
                .withName("held")
                .endMetadata()
                .withNewSpec()
                .withAttacher("held.example.com")
                .withNodeName("some-node")
                .withNewSource()
                .withPersistentVolumeName("some-volume")
                .endSource()
                .endSpec()
                .build());
        attachment.create();
        deployment.delete();

        Eventually.assertThat(() -> assertThat(
                        manager().figures().of("stowage_manager_deployment_deletion_blockers{" + whose("held") + "}"))
                .isEqualTo(1));
        attachment.delete();

        Eventually.assertThat(() -> assertThat(deployment.get()).isNull());
    }

    @Test
    void nodesWithAClientAreThoseThatADriverBesideClientsIsToRunOn() {
        var deployed = Deployed.nothing(client())
                .apply(spec ->
                        spec.put("besidePods", Map.of("selector", Map.of("matchLabels", Map.of("app", "client")))))
                .awaitSynced();
        new OnNode(client(), deployed, deployed.namespace() + "-a").makeClient();

        String wanted = "stowage_manager_deployment_nodes_wanted{namespace=\"%s\",name=\"%s\"}"
                .formatted(deployed.namespace(), Deployed.NAME);
        Eventually.assertThat(() -> assertThat(manager().figures().of(wanted)).isEqualTo(1));
        deployed.resource().delete();
    }

    @Test
    void theDashboardAsksForNothingThatIsNotServed() throws IOException {
        var deployment = apply("shown", "/csi/csi.sock");
        Eventually.assertThat(() -> assertThat(client().apps()
                        .daemonSets()
                        .inNamespace("default")
                        .withName("shown-node")
                        .get())
                .isNotNull());
        var asked = Dashboard.read(PLANE.get().plane()).series();
        assertThat(asked).hasSizeGreaterThan(10).allMatch(series -> series.contains("_"));
        String page = manager().http().get("/metrics").body();

        assertThat(asked)
                .allSatisfy(series -> assertThat(page).contains("# TYPE " + series.replaceFirst("_bucket$", "") + " "));

        deployment.delete();
    }
}
