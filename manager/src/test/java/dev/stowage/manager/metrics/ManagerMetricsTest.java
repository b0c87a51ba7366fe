package dev.stowage.manager.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.ApiRequests;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import dev.stowage.kube.csidriver.CsiDriverDeployment.DriverReport;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Status;
import dev.stowage.kube.weka.WekaClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManagerMetricsTest {

    private final Doings doings = new Doings();
    private final Passes passes = new Passes("things", () -> 5, () -> 6);
    private final ManagerMetrics metrics = new ManagerMetrics("1.0", doings, Map.of("work", new ApiRequests()));

    private static CsiDriverDeployment deployment(String name) {
        var deployment = new CsiDriverDeployment();
        deployment.getMetadata().setNamespace("storage");
        deployment.getMetadata().setName(name);
        deployment.getMetadata().setGeneration(3L);
        return deployment;
    }

    private static Condition iscsid(String status) {
        return new Condition("Iscsid", status, null, null, "2026-01-01T00:00:00Z");
    }

    private static CsiDriverDeployment running(String name) {
        var deployment = deployment(name);
        deployment.setStatus(new Status(
                2L,
                List.of(),
                "Managed",
                List.of(new Condition("Available", "Unknown", "SomeDoNotRun", "", "2026-01-01T00:00:00Z")),
                List.of(
                        new NodeStatus("a", true, "driver:1", true, null, List.of(iscsid("True"))),
                        new NodeStatus("b", true, "driver:0", false, null, List.of(iscsid("False"))),
                        new NodeStatus("c", false, "driver:1", true, "driver: CrashLoopBackOff", null)),
                new DriverReport("driver", "1\"2\\3\n", List.of()),
                null,
                null,
                List.of("volume on node")));
        return deployment;
    }

    private static WekaClient client() {
        var client = new WekaClient();
        client.getMetadata().setNamespace("storage");
        client.getMetadata().setName("compute");
        client.setStatus(new WekaClient.Status(
                1L,
                "Running",
                List.of(new Condition("CsiDeployed", "False", "NameTaken", "", "2026-01-01T00:00:00Z")),
                true,
                "csi.weka.io",
                null,
                null,
                null,
                new WekaClient.Stats(new WekaClient.Containers(1, 2, 3)),
                null));
        return client;
    }

    private String text(boolean leads, CsiDriverDeployment... deployments) {
        return metrics.text(
                new ManagerMetrics.Now(leads, List.of(passes), List.of(deployments), any -> 4, List.of(client())));
    }

    @Test
    void aDeploymentIsToldAsItsStatusSays() {
        String whose = "{namespace=\"storage\",name=\"one\"";
        assertThat(text(true, running("one"), deployment("two")).lines())
                .contains(
                        "stowage_manager_deployments{state=\"Managed\"} 1",
                        "stowage_manager_deployments{state=\"New\"} 1",
                        "stowage_manager_deployments{state=\"Removed\"} 0",
                        "stowage_manager_deployment_condition" + whose
                                + ",condition=\"Available\",status=\"unknown\"} 1",
                        "stowage_manager_deployment_condition" + whose + ",condition=\"Available\",status=\"true\"} 0",
                        "stowage_manager_deployment_nodes_wanted" + whose + "} 4",
                        "stowage_manager_deployment_nodes_registered" + whose + "} 2",
                        "stowage_manager_deployment_nodes_current" + whose + "} 2",
                        "stowage_manager_deployment_nodes_in_trouble" + whose + "} 1",
                        "stowage_manager_deployment_node_conditions" + whose
                                + ",condition=\"Iscsid\",status=\"true\"} 1",
                        "stowage_manager_deployment_node_conditions" + whose
                                + ",condition=\"Iscsid\",status=\"false\"} 1",
                        "stowage_manager_deployment_node_conditions" + whose
                                + ",condition=\"Iscsid\",status=\"unknown\"} 0",
                        "stowage_manager_deployment_generation" + whose + "} 3",
                        "stowage_manager_deployment_observed_generation" + whose + "} 2",
                        "stowage_manager_deployment_deletion_blockers" + whose + "} 1");
    }

    @Test
    void foreignTextCannotBreakALine() {
        assertThat(text(true, running("one")).lines())
                .contains(
                        "stowage_manager_deployment_info{namespace=\"storage\",name=\"one\",driver=\"\",version=\"1\\\"2\\\\3\\n\"} 1");
    }

    @Test
    void aClientIsToldAsItsStatusSays() {
        String whose = "{namespace=\"storage\",name=\"compute\"";
        assertThat(text(true).lines())
                .contains(
                        "stowage_manager_clients{status=\"Running\"} 1",
                        "stowage_manager_clients{status=\"Error\"} 0",
                        "stowage_manager_client_info" + whose + ",driver=\"csi.weka.io\"} 1",
                        "stowage_manager_client_condition" + whose + ",condition=\"CsiDeployed\",status=\"false\"} 1",
                        "stowage_manager_client_driver_deployed" + whose + "} 1",
                        "stowage_manager_client_containers_wanted" + whose + "} 3",
                        "stowage_manager_client_containers_created" + whose + "} 2",
                        "stowage_manager_client_containers_running" + whose + "} 1");
    }

    @Test
    void whoDoesNotLeadTellsNothingOfDeploymentsAndClients() {
        assertThat(text(false, running("one")))
                .doesNotContain("\"one\"", "\"compute\"")
                .contains("leader_election_master_status");
    }

    @Test
    void whatWasCountedForADeploymentIsForgottenWithIt() {
        doings.restored("storage/one", "DaemonSet");
        doings.restored("storage/one", "DaemonSet");
        doings.refused("storage/two");
        doings.rolledBack("storage/two");
        assertThat(text(true, deployment("one"), deployment("two")).lines())
                .contains(
                        "stowage_manager_restored_total{namespace=\"storage\",name=\"one\",kind=\"DaemonSet\"} 2",
                        "stowage_manager_refused_total{namespace=\"storage\",name=\"two\"} 1",
                        "stowage_manager_rolled_back_total{namespace=\"storage\",name=\"two\"} 1");

        assertThat(text(true)).doesNotContain("\"one\"", "\"two\"");
        assertThat(text(true, deployment("one"))).doesNotContain("stowage_manager_restored_total{");
    }

    @Test
    void passesAreCountedByTheirEndAndByTheirDuration() {
        passes.ended(Passes.Result.DONE, 2_000_000);
        passes.ended(Passes.Result.FAILED, 70_000_000_000L);
        assertThat(text(true).lines())
                .contains(
                        "stowage_manager_reconciles_total{name=\"things\",result=\"done\"} 1",
                        "stowage_manager_reconciles_total{name=\"things\",result=\"again\"} 0",
                        "stowage_manager_reconciles_total{name=\"things\",result=\"failed\"} 1",
                        "stowage_manager_reconcile_duration_seconds_bucket{name=\"things\",le=\"0.001\"} 0",
                        "stowage_manager_reconcile_duration_seconds_bucket{name=\"things\",le=\"0.005\"} 1",
                        "stowage_manager_reconcile_duration_seconds_bucket{name=\"things\",le=\"60.0\"} 1",
                        "stowage_manager_reconcile_duration_seconds_bucket{name=\"things\",le=\"+Inf\"} 2",
                        "stowage_manager_reconcile_duration_seconds_sum{name=\"things\"} 70.002",
                        "stowage_manager_reconcile_duration_seconds_count{name=\"things\"} 2",
                        "workqueue_depth{name=\"things\"} 5",
                        "workqueue_retries_total{name=\"things\"} 6");
    }
}
