package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Digest;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Missing;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Rollout;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.beside.PodTroubles;
import dev.stowage.manager.beside.ReadyPods;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings a new template to the nodes, and the last good one back when the new one does not work.
 *
 * <p>Kubernetes goes from node to node, and to the next only when the pod is ready: registered, and answering Probe. It would wait
 * forever at a node where that never happens.
 */
final class Rollouts {

    /** On the DaemonSet: which template it has. */
    static final String TEMPLATE = "storage.stowage.dev/template";

    private static final Set<String> HOPELESS = Set.of("InvalidImageName", "CreateContainerConfigError");
    private static final int CRASHES = 3;

    private final KubernetesClient client;
    private final KubernetesSerialization serialization;
    private final Revisions revisions;
    private final NodePods pods;
    private final Duration deadline;

    /** @param deadline how long a new pod may take to become ready */
    Rollouts(KubernetesClient client, Revisions revisions, NodePods pods, Duration deadline) {
        this.client = client;
        this.serialization = client.getKubernetesSerialization();
        this.revisions = revisions;
        this.pods = pods;
        this.deadline = deadline;
    }

    /** Gives the DaemonSet its template: the wanted one, or the last good one if it is known that the wanted one does not work. */
    void choose(DaemonSet wanted, Optional<DaemonSet> live, Rollout state) {
        String digest =
                Digest.ofTree(serialization.convertValue(wanted.getSpec().getTemplate(), Map.class));
        String name = digest;
        if (digest.equals(state.refused()) && state.template() != null) {
            use(state.template(), wanted, live);
            name = Objects.requireNonNull(state.lastGood());
        }
        var annotations = new HashMap<String, String>();
        if (wanted.getMetadata().getAnnotations() != null) {
            annotations.putAll(wanted.getMetadata().getAnnotations());
        }
        annotations.put(TEMPLATE, name);
        wanted.getMetadata().setAnnotations(annotations);
    }

    /** The one of an adopted driver fits the selector of its DaemonSet, which may be another than ours. */
    private static void use(PodTemplateSpec good, DaemonSet wanted, Optional<DaemonSet> live) {
        var spec = wanted.getSpec();
        if (live.isPresent()) {
            spec.setSelector(live.get().getSpec().getSelector());
            spec.setTemplate(good);
        } else {
            spec.setTemplate(new PodTemplateSpecBuilder(good)
                    .editOrNewMetadata()
                    .addToLabels(spec.getTemplate().getMetadata().getLabels())
                    .endMetadata()
                    .build());
        }
    }

    /**
     * What has become of the template.
     *
     * @param wanted as {@link #choose} left it
     * @param returns whether a template that does not work is to be taken back
     */
    Rollout judge(DaemonSet wanted, DaemonSet live, Rollout before, boolean returns) {
        String template = template(wanted);
        boolean returned = template.equals(before.lastGood());
        // Another one is wanted now than the one that was refused.
        var state = returned || template.equals(before.refused()) ? before : before.refusing(null, null);
        var revision = revisions.current(live);
        if (!template.equals(template(live)) || !seen(live) || revision.isEmpty()) {
            return state;
        }
        String name = revision.get().getMetadata().getName();
        String hash = hash(revision.get());
        var all = pods.of(live);
        if (everywhere(live, hash, all)) {
            return good(revision.get(), returned ? state : state.refusing(null, null))
                    .missing(null);
        }
        boolean tried = state.template() != null && !name.equals(state.lastGood()) && !returned;
        if (!returns || !tried) {
            return state.missing(null);
        }
        var missing = missing(live, template, state.missing());
        return failure(all, hash)
                .or(() -> absence(live, missing))
                .map(why -> state.refusing(template, why).missing(null))
                .orElse(state.missing(missing));
    }

    /**
     * What has to be on record before a template is overwritten: the one that works on all nodes is the last good one, also if it came
     * from somebody else, or nobody has looked since it does.
     *
     * @param wanted as {@link #choose} left it
     */
    Rollout remember(DaemonSet wanted, DaemonSet live, Rollout state) {
        String template = template(live);
        if (template.equals(template(wanted)) || template.equals(state.refused()) || !seen(live)) {
            return state;
        }
        return revisions
                .current(live)
                .filter(revision -> everywhere(live, hash(revision), pods.of(live)))
                .map(revision -> good(revision, state))
                .orElse(state);
    }

    private Rollout good(ControllerRevision revision, Rollout state) {
        return revisions
                .template(revision)
                .map(template -> state.good(revision.getMetadata().getName(), template))
                .orElse(state);
    }

    private static String hash(ControllerRevision revision) {
        var labels = revision.getMetadata().getLabels();
        return labels == null ? "" : labels.getOrDefault(Revisions.HASH, "");
    }

    private static boolean everywhere(DaemonSet live, String hash, List<Pod> all) {
        return complete(live)
                && all.stream().allMatch(pod -> hash.equals(NodePods.revision(pod)) && ReadyPods.ready(pod));
    }

    /** Whether a template is still on its way. */
    boolean underWay(DaemonSet live) {
        var status = live.getStatus();
        return !seen(live)
                || number(status.getUpdatedNumberScheduled()) < number(status.getDesiredNumberScheduled())
                || number(status.getNumberAvailable()) < number(status.getDesiredNumberScheduled());
    }

    private static boolean seen(DaemonSet set) {
        return set.getStatus() != null
                && Objects.equals(
                        set.getMetadata().getGeneration(), set.getStatus().getObservedGeneration());
    }

    private static boolean complete(DaemonSet set) {
        int wanted = number(set.getStatus().getDesiredNumberScheduled());
        return wanted > 0
                && number(set.getStatus().getUpdatedNumberScheduled()) == wanted
                && number(set.getStatus().getNumberAvailable()) == wanted;
    }

    static int number(@Nullable Integer value) {
        return value == null ? 0 : value;
    }

    private static String template(DaemonSet set) {
        var annotations = set.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(TEMPLATE, "");
    }

    /** Why the new template does not work, on the first node where it does not. */
    private Optional<String> failure(List<Pod> all, String hash) {
        return all.stream()
                .filter(pod -> hash.equals(NodePods.revision(pod)))
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> !ReadyPods.ready(pod))
                .filter(pod -> hopeless(pod) || late(pod))
                .filter(pod -> nodeWorks(NodePods.node(pod)))
                .findFirst()
                .map(pod -> "node %s: %s"
                        .formatted(NodePods.node(pod), PodTroubles.of(pod).orElse("the new pod did not become ready")));
    }

    /** Pods that the API server does not take are not there to tell. Each template has its own time. */
    private static @Nullable Missing missing(DaemonSet live, String template, @Nullable Missing before) {
        if (absent(live) <= 0) {
            return null;
        }
        return before != null && before.of().equals(template)
                ? before
                : new Missing(
                        template, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    private static int absent(DaemonSet live) {
        return number(live.getStatus().getDesiredNumberScheduled())
                - number(live.getStatus().getCurrentNumberScheduled());
    }

    private Optional<String> absence(DaemonSet live, @Nullable Missing missing) {
        return missing != null && over(Instant.parse(missing.since()))
                ? Optional.of("%d of %d nodes have no pod, which Kubernetes cannot make; the events of %s tell why"
                        .formatted(absent(live), live.getStatus().getDesiredNumberScheduled(), Adoption.named(live)))
                : Optional.empty();
    }

    /** One that was ready before may have been restarted, with its node or for lack of memory, and gets the same time again. */
    private boolean late(Pod pod) {
        return over(NodePods.unreadySince(pod));
    }

    private boolean over(Instant since) {
        return since.plus(deadline).isBefore(Instant.now());
    }

    private static boolean hopeless(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getContainerStatuses() != null
                && pod.getStatus().getContainerStatuses().stream().anyMatch(Rollouts::hopeless);
    }

    private static boolean hopeless(ContainerStatus container) {
        var waiting = container.getState() == null ? null : container.getState().getWaiting();
        if (waiting == null) {
            return false;
        }
        return HOPELESS.contains(String.valueOf(waiting.getReason()))
                || "CrashLoopBackOff".equals(waiting.getReason()) && number(container.getRestartCount()) >= CRASHES;
    }

    /** A node that is down says nothing about the template. */
    private boolean nodeWorks(String name) {
        Node node = Api.call("node " + name, () -> client.nodes().withName(name).get());
        return node != null
                && node.getStatus() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }
}
