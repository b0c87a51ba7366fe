package dev.stowage.clustertests.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.ClusterNode;
import dev.stowage.workbench.cluster.Images;
import dev.stowage.workbench.process.Waiting;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the token that its pod really gets, the account of a node can write one object. */
@NeedsCluster(nodes = 2)
class VscNodePolicyTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token";

    private final Cluster cluster;
    private final VscRelease release;
    private final String one;
    private final String other;
    private final String suffix = "-" + UUID.randomUUID().toString().substring(0, 8);

    VscNodePolicyTest(Cluster cluster) {
        this.cluster = cluster;
        release = new VscRelease(cluster);
        one = cluster.nodes().get(0).name();
        other = cluster.nodes().get(1).name();
    }

    @BeforeEach
    void install() {
        release.install("");
        cluster.nodes().stream()
                .map(ClusterNode::name)
                .forEach(node -> release.apply(
                        """
                apiVersion: v1
                kind: Pod
                metadata: {name: %5$s, namespace: %2$s}
                spec:
                  nodeName: %1$s
                  serviceAccountName: %3$s-node
                  terminationGracePeriodSeconds: 0
                  containers: [{name: main, image: %4$s, command: [sleep, "3600"]}]
                """.formatted(node, VscRelease.NAMESPACE, VscRelease.NAME, Images.BUSYBOX, podOn(node))));
    }

    /** The kubelet finds containers by the name of their pod: one of an earlier test that is not gone yet must not be taken for it. */
    private String podOn(String node) {
        return "on-" + node + suffix;
    }

    @AfterEach
    void remove() {
        cluster.kubectl().run("delete", "vscnodes", "--all", "--ignore-not-found");
        release.close();
    }

    @Test
    void aNodeWritesTheVscNodeOfItsOwnNameAndNoOther() {
        try (var client = as(podToken(one));
                var neighbour = as(podToken(other))) {
            awaitPolicy(client);
            client.resource(vscNode(one, "10.0.0.1")).create();
            client.resource(vscNode(one, "10.0.0.2")).update();
            assertThat(vscNodes(client, one).get().<String>get("spec", "NAS", "IP"))
                    .isEqualTo("10.0.0.2");
            neighbour.resource(vscNode(other, "10.0.0.3")).create();

            refused(
                    () -> client.resource(vscNode(other, "10.0.0.4")).update(),
                    "a node writes the VSCNode of its own name only: " + other + " is not " + one);
            refused(
                    () -> vscNodes(client, other)
                            .patch(
                                    PatchContext.of(PatchType.JSON_MERGE),
                                    "{\"metadata\": {\"annotations\": {\"a\": \"b\"}}}"),
                    "of its own name only");
            refused(() -> client.resource(vscNode("ghost", "10.0.0.5")).create(), "of its own name only");
            refused(() -> client.resource(vscNode(one, "10.0.0.1")).delete(), "cannot delete");
        }
    }

    @Test
    void aTokenThatBelongsToNoPodWritesNone() {
        try (var client =
                as(release.kubectl("create", "token", VscRelease.NAME + "-node").strip())) {
            awaitPolicy(client);
            refused(
                    () -> client.resource(vscNode(one, "10.0.0.1")).create(),
                    one + " is not that of a token bound to a pod on a node");
        }
    }

    @Test
    void aNodeReadsNothingElse() {
        try (var client = as(podToken(one))) {
            refused(() -> client.secrets().inNamespace(VscRelease.NAMESPACE).list(), "cannot list");
            refused(() -> client.pods().inNamespace(VscRelease.NAMESPACE).list(), "cannot list");
            for (String kind : List.of("VPSA", "Volume", "VolumeAttachment", "VSCNode")) {
                refused(
                        () -> client.genericKubernetesResources("storage.zadara.com/v1", kind)
                                .list(),
                        "cannot list");
            }
        }
    }

    /** The API server takes a moment to heed a new policy. */
    private void awaitPolicy(KubernetesClient client) {
        assertThat(Waiting.until(PATIENCE, () -> {
                    try {
                        client.resource(vscNode("probe", "10.0.0.9")).dryRun().create();
                        return false;
                    } catch (KubernetesClientException refused) {
                        return String.valueOf(refused.getMessage()).contains("of its own name only");
                    }
                }))
                .isTrue();
    }

    private static void refused(ThrowingCallable call, String why) {
        assertThatThrownBy(call)
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(why)
                .satisfies(refused -> assertThat(((KubernetesClientException) refused).getCode())
                        .isEqualTo(403));
    }

    private static Resource<GenericKubernetesResource> vscNodes(KubernetesClient client, String name) {
        return client.genericKubernetesResources("storage.zadara.com/v1", "VSCNode")
                .withName(name);
    }

    private static GenericKubernetesResource vscNode(String name, String address) {
        return new GenericKubernetesResourceBuilder()
                .withApiVersion("storage.zadara.com/v1")
                .withKind("VSCNode")
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToAdditionalProperties("spec", Map.of("displayName", name, "NAS", Map.of("IP", address)))
                .build();
    }

    private String podToken(String node) {
        String[] token = {""};
        var command = List.of("--namespace=" + VscRelease.NAMESPACE, "exec", podOn(node), "--", "cat", TOKEN);
        assertThat(Waiting.until(PATIENCE, () -> {
                    var result = cluster.kubectl().tryTo(command, "");
                    token[0] = result.stdout().strip();
                    return result.succeeded();
                }))
                .as("the pod on " + node + " runs")
                .isTrue();
        return token[0];
    }

    private KubernetesClient as(String token) {
        var config = Config.fromKubeconfig(cluster.kubeconfig().toFile());
        config.setClientCertData(null);
        config.setClientCertFile(null);
        config.setClientKeyData(null);
        config.setClientKeyFile(null);
        config.setOauthToken(token);
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
