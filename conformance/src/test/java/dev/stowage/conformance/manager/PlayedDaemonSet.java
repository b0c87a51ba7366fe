package dev.stowage.conformance.manager;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.Digest;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Stands in for whoever brings one DaemonSet to its nodes: its controller, the scheduler and kubelets. What they would write is written
 * when the test says so, or by itself after {@link #play}.
 */
final class PlayedDaemonSet implements AutoCloseable {

    private static final String HASH = "controller-revision-hash";
    private static final int HASH_LENGTH = 10;

    private final KubernetesClient client;
    private final Resource<DaemonSet> resource;
    private final List<String> nodes;
    private volatile boolean closed;

    private PlayedDaemonSet(KubernetesClient client, Resource<DaemonSet> resource, List<String> nodes) {
        this.client = client;
        this.resource = resource;
        this.nodes = nodes;
    }

    /** On two nodes of its own, which are ready. */
    static PlayedDaemonSet of(KubernetesClient client, Resource<DaemonSet> resource) {
        var set = resource.get().getMetadata();
        var nodes = List.of(set.getNamespace() + "-a", set.getNamespace() + "-b");
        for (String name : nodes) {
            client.resource(new NodeBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .create();
            client.nodes().withName(name).editStatus(node -> {
                node.getStatus()
                        .setConditions(List.of(new NodeConditionBuilder()
                                .withType("Ready")
                                .withStatus("True")
                                .build()));
                return node;
            });
        }
        return new PlayedDaemonSet(client, resource, nodes);
    }

    String firstNode() {
        return nodes.getFirst();
    }

    String lastNode() {
        return nodes.getLast();
    }

    /** Whether new pods are kept away from a node. */
    boolean isClosed(String node) {
        return Objects.requireNonNullElse(
                        client.nodes().withName(node).get().getSpec().getTaints(), List.<Taint>of())
                .stream()
                .anyMatch(taint -> taint.getKey().equals(CsiDriverDeployment.RESTARTING));
    }

    /** From now on a driver that is to end does so, and one of the template of now, which works, comes in its place. */
    void play() {
        Thread.ofVirtual().name("played " + nodes).start(() -> {
            while (!closed) {
                // The manager may be the first to write what is written here.
                Eventually.assertThat(this::keepUp);
            }
        });
    }

    private void keepUp() throws InterruptedException {
        observe();
        for (String node : nodes) {
            if (pods(node).stream().allMatch(pod -> pod.getMetadata().getDeletionTimestamp() != null)) {
                end(node);
                run(node, ready());
            }
        }
        Thread.sleep(100);
    }

    /** What is there stays as it is. */
    @Override
    public void close() {
        closed = true;
    }

    /** The template of now is on all nodes, and works. */
    void runEverywhere() {
        observe();
        nodes.forEach(this::end);
        nodes.forEach(node -> run(node, ready()));
    }

    /** The template of now has a revision, and the status is about it. */
    void observe() {
        var set = resource.get();
        String name = revisionName(set);
        var all = revisions(set);
        long next = 1
                + all.stream().mapToLong(ControllerRevision::getRevision).max().orElse(0);
        var known = all.stream()
                .filter(revision -> revision.getMetadata().getName().equals(name))
                .findFirst();
        if (known.isEmpty()) {
            client.resource(revision(set, name, next)).create();
        } else if (known.get().getRevision() < next - 1) {
            client.resource(known.get()).edit(found -> {
                found.setRevision(next);
                return found;
            });
        }
        tell();
    }

    private List<ControllerRevision> revisions(DaemonSet set) {
        return client
                .apps()
                .controllerRevisions()
                .inNamespace(set.getMetadata().getNamespace())
                .list()
                .getItems()
                .stream()
                .filter(revision -> revision.hasOwnerReferenceFor(set))
                .toList();
    }

    private ControllerRevision revision(DaemonSet set, String name, long number) {
        var template = set.getSpec().getTemplate();
        var data = new HashMap<String, Object>(tree(template));
        data.put("$patch", "replace");
        return new ControllerRevisionBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(set.getMetadata().getNamespace())
                .withLabels(template.getMetadata().getLabels())
                .addToLabels(HASH, hash(set))
                .withOwnerReferences(owner(set))
                .endMetadata()
                .withData(Map.of("spec", Map.of("template", data)))
                .withRevision(number)
                .build();
    }

    private Map<String, Object> tree(Object template) {
        return client.getKubernetesSerialization().convertValue(template, Map.class);
    }

    private String hash(DaemonSet set) {
        return Digest.ofTree(tree(set.getSpec().getTemplate())).substring(0, HASH_LENGTH);
    }

    private String revisionName(DaemonSet set) {
        return set.getMetadata().getName() + "-" + hash(set);
    }

    private static OwnerReference owner(HasMetadata set) {
        return new OwnerReferenceBuilder()
                .withApiVersion(set.getApiVersion())
                .withKind(set.getKind())
                .withName(set.getMetadata().getName())
                .withUid(set.getMetadata().getUid())
                .withController(true)
                .build();
    }

    /** A pod of the template of now comes to a node, and this is what becomes of it. */
    void run(String node, PodStatus status) {
        var set = resource.get();
        var pod = client.resource(
                        pod(set, node).editSpec().withNodeName(node).endSpec().build())
                .create();
        tell(pod, status);
    }

    /** A pod of the template of now is made for a node, and there is no place for it. */
    void leaveWaiting(String node) {
        var set = resource.get();
        var pod = pod(set, node)
                .editSpec()
                .editOrNewAffinity()
                .editOrNewNodeAffinity()
                .editOrNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchField()
                .withKey("metadata.name")
                .withOperator("In")
                .withValues(node)
                .endMatchField()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
        tell(
                client.resource(pod).create(),
                new PodStatusBuilder()
                        .withPhase("Pending")
                        .addNewCondition()
                        .withType("PodScheduled")
                        .withStatus("False")
                        .withReason("Unschedulable")
                        .withMessage("Insufficient memory")
                        .endCondition()
                        .build());
    }

    private void tell(Pod pod, PodStatus status) {
        client.resource(pod).editStatus(found -> {
            found.setStatus(status);
            return found;
        });
        tell();
    }

    private PodBuilder pod(DaemonSet set, String node) {
        var template = set.getSpec().getTemplate();
        return new PodBuilder()
                .withNewMetadata()
                .withGenerateName(node + "-")
                .withNamespace(set.getMetadata().getNamespace())
                .withLabels(template.getMetadata().getLabels())
                .addToLabels(HASH, hash(set))
                .withOwnerReferences(owner(set))
                .endMetadata()
                .withSpec(template.getSpec());
    }

    static PodStatus ready() {
        return new PodStatusBuilder()
                .withPhase("Running")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .build();
    }

    /** So that it need not be waited for. */
    static PodStatus hopeless() {
        return new PodStatusBuilder()
                .withPhase("Pending")
                .withContainerStatuses(new ContainerStatusBuilder()
                        .withName("csi-driver")
                        .withImage("driver")
                        .withImageID("")
                        .withReady(false)
                        .withRestartCount(0)
                        .withNewState()
                        .withNewWaiting("no such image", "InvalidImageName")
                        .endState()
                        .build())
                .build();
    }

    /** All that is on a node has ended. */
    void end(String node) {
        pods().stream()
                .filter(pod -> isFor(pod, node))
                .forEach(pod -> client.resource(pod).withGracePeriod(0).delete());
        tell();
    }

    /** Those that are there, also those that are about to end. */
    List<Pod> pods(String node) {
        return pods().stream().filter(pod -> isFor(pod, node)).toList();
    }

    private static boolean isFor(Pod pod, String node) {
        return pod.getMetadata().getGenerateName().equals(node + "-");
    }

    private List<Pod> pods() {
        var set = resource.get();
        return client.pods().inNamespace(set.getMetadata().getNamespace()).list().getItems().stream()
                .filter(pod -> pod.hasOwnerReferenceFor(set))
                .toList();
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    /** How many nodes have what. */
    private void tell() {
        // The manager writes it, too, and then this comes too late.
        Eventually.assertThat(() -> resource.editStatus(set -> {
            var pods = pods();
            String hash = hash(set);
            set.setStatus(new DaemonSetStatusBuilder()
                    .withObservedGeneration(set.getMetadata().getGeneration())
                    .withDesiredNumberScheduled(nodes.size())
                    .withCurrentNumberScheduled((int) nodes.stream()
                            .filter(node -> pods.stream().anyMatch(pod -> isFor(pod, node)))
                            .count())
                    .withNumberMisscheduled(0)
                    .withUpdatedNumberScheduled((int) pods.stream()
                            .filter(pod ->
                                    hash.equals(pod.getMetadata().getLabels().get(HASH)))
                            .count())
                    .withNumberReady(
                            (int) pods.stream().filter(PlayedDaemonSet::isReady).count())
                    .withNumberAvailable(
                            (int) pods.stream().filter(PlayedDaemonSet::isReady).count())
                    .build());
            return set;
        }));
    }
}
