package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A driver that another object is to bring to its nodes than before. No node may have two of them. */
class SuccessionTest {

    private static final Map<String, Object> BESIDE =
            Map.of("selector", Map.of("matchLabels", Map.of("app", "client")));

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheRun(ManagedPlane.class, ManagedPlane::withManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private final Deployed deployed = Deployed.nothing(client());

    private List<Pod> driverPods() {
        return client().pods()
                .inNamespace(deployed.namespace())
                .withLabel(CsiDriverDeployment.OWNER_NAME, Deployed.NAME)
                .list()
                .getItems();
    }

    /** By the garbage collector, or a kubelet. */
    private void end(Pod pod) {
        client().resource(pod).withGracePeriod(0).delete();
    }

    private void awaitWaiting(Pod pod) {
        Eventually.assertThat(() -> assertThat(deployed.message("SyncSuccessful"))
                .contains("pod %s of the driver on node %s has to end"
                        .formatted(pod.getMetadata().getName(), pod.getSpec().getNodeName())));
        assertThat(deployed.condition("SyncSuccessful")).isEqualTo("False");
    }

    @Test
    void onEveryNodeItComesWhenThePodsBesideClientsHaveEnded() {
        // An hour, so that the pod does not count as one of a node that is gone.
        deployed.apply(spec -> {
                    spec.put("besidePods", BESIDE);
                    spec.put("driverPerNodeTemplate", patient());
                })
                .awaitSynced();
        var where = new OnNode(client(), deployed, "node-of-" + deployed.namespace());
        where.makeClient();
        Eventually.assertThat(() -> assertThat(driverPods()).hasSize(1));
        where.bind(driverPods().getFirst());
        var pod = driverPods().getFirst();

        deployed.edit(spec -> spec.remove("besidePods"));
        awaitWaiting(pod);
        Eventually.assertThat(
                () -> assertThat(client().resource(pod).get().getMetadata().getDeletionTimestamp())
                        .isNotNull());
        assertThat(deployed.node().get()).isNull();

        end(pod);
        deployed.awaitSynced();
        assertThat(deployed.node().get()).isNotNull();
    }

    private static Map<String, Object> patient() {
        return Map.of(
                "spec",
                Map.of(
                        "terminationGracePeriodSeconds",
                        3600,
                        "containers",
                        List.of(Map.of(
                                "name",
                                "csi-driver",
                                "image",
                                "driver:1",
                                "securityContext",
                                Map.of("privileged", true)))));
    }

    @Test
    void besideClientsItComesWhenThePodsOfTheDaemonSetHaveEnded() {
        deployed.apply(spec -> {}).awaitSynced();
        var nodes = PlayedDaemonSet.of(client(), deployed.node());
        nodes.runEverywhere();
        var former = driverPods();
        assertThat(former).hasSize(2);
        new OnNode(client(), deployed, nodes.firstNode()).makeClient();

        deployed.edit(spec -> spec.put("besidePods", BESIDE));
        former.forEach(this::awaitWaiting);
        Eventually.assertThat(() -> assertThat(deployed.node().get()).isNull());
        assertThat(driverPods()).hasSameSizeAs(former);

        former.forEach(this::end);
        deployed.awaitSynced();
        assertThat(driverPods()).hasSize(1);
    }

    @Test
    void thePodsOfAnAdoptedDaemonSetEndFirstAsWell() {
        var byHand = ByHand.prepared(client());
        var where = byHand.where();
        new OnNode(client(), where, "nowhere").makeAccount();
        var set = byHand.nodes();
        byHand.controller();
        var nodes = PlayedDaemonSet.of(
                client(),
                client().apps()
                        .daemonSets()
                        .inNamespace(where.namespace())
                        .withName(set.getMetadata().getName()));
        nodes.runEverywhere();
        var former = nodes.pods(nodes.firstNode());
        where.apply(spec -> {
                    spec.put("adopt", Map.of("daemonSet", set.getMetadata().getName(), "deployment", "my-controller"));
                    spec.put("adoption", "Consent");
                })
                .awaitSynced();
        assertThat(client().resource(former.getFirst()).get().getMetadata().getLabels())
                .doesNotContainKey(CsiDriverDeployment.OWNER_NAME);

        where.edit(spec -> spec.put("adopt", Map.of("daemonSet", "other", "deployment", "my-controller")));
        Eventually.assertThat(() -> assertThat(where.message("SyncSuccessful"))
                .contains("pod %s of the driver on node %s has to end"
                        .formatted(former.getFirst().getMetadata().getName(), nodes.firstNode())));
        var other = client().apps().daemonSets().inNamespace(where.namespace()).withName("other");
        assertThat(other.get()).isNull();

        client().pods().inNamespace(where.namespace()).withGracePeriod(0).delete();
        where.awaitSynced();
        assertThat(other.get()).isNotNull();
    }

    @Test
    void aDaemonSetOfAnotherNameComesWhenThePodsOfTheFormerHaveEnded() {
        deployed.apply(spec -> {}).awaitSynced();
        PlayedDaemonSet.of(client(), deployed.node()).runEverywhere();
        var former = driverPods();
        var other =
                client().apps().daemonSets().inNamespace(deployed.namespace()).withName("other");

        deployed.edit(spec -> spec.put("adopt", Map.of("daemonSet", "other")));
        former.forEach(this::awaitWaiting);
        Eventually.assertThat(() -> assertThat(deployed.node().get()).isNull());
        assertThat(other.get()).isNull();

        former.forEach(this::end);
        deployed.awaitSynced();
        assertThat(other.get()).isNotNull();
    }
}
