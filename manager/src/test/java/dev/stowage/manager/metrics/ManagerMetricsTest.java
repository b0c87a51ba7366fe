package dev.stowage.manager.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.ApiRequests;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import dev.stowage.kube.csidriver.CsiDriverDeployment.DriverReport;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManagerMetricsTest {

    private final Doings doings = new Doings();
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
                new DriverReport("1\"2\\3\n", List.of()),
                null,
                null,
                List.of("volume on node")));
        return deployment;
    }

    private String text(boolean leads, CsiDriverDeployment... deployments) {
        return metrics.text(new ManagerMetrics.Now(leads, 0, 0, List.of(deployments), any -> 4));
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
    void whoDoesNotLeadTellsNothingOfDeployments() {
        assertThat(text(false, running("one"))).doesNotContain("\"one\"").contains("leader_election_master_status");
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
        doings.reconciled(Doings.Result.DONE, 2_000_000);
        doings.reconciled(Doings.Result.FAILED, 70_000_000_000L);
        assertThat(text(true).lines())
                .contains(
                        "stowage_manager_reconciles_total{result=\"done\"} 1",
                        "stowage_manager_reconciles_total{result=\"again\"} 0",
                        "stowage_manager_reconciles_total{result=\"failed\"} 1",
                        "stowage_manager_reconcile_duration_seconds_bucket{le=\"0.001\"} 0",
                        "stowage_manager_reconcile_duration_seconds_bucket{le=\"0.005\"} 1",
                        "stowage_manager_reconcile_duration_seconds_bucket{le=\"60.0\"} 1",
                        "stowage_manager_reconcile_duration_seconds_bucket{le=\"+Inf\"} 2",
                        "stowage_manager_reconcile_duration_seconds_sum 70.002",
                        "stowage_manager_reconcile_duration_seconds_count 2");
    }
}
