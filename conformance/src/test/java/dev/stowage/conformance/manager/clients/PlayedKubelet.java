package dev.stowage.conformance.manager.clients;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Stands in for scheduler and kubelets: pods come to the node that they ask for, are ready and go when they are deleted.
 *
 * <p>A pod whose image begins with {@link #BROKEN} never starts.
 */
final class PlayedKubelet implements AutoCloseable {

    static final String BROKEN = "broken";

    /** Somebody else has written meanwhile, or it is gone; then there is news of it. */
    private static final Set<Integer> LATE = Set.of(HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_NOT_FOUND);

    private final KubernetesClient client;
    /** What is told after the end is of no interest. */
    private final ExecutorService work = new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new ThreadPoolExecutor.DiscardPolicy());

    private final Set<String> unwell = ConcurrentHashMap.newKeySet();
    private final Set<String> lingering = ConcurrentHashMap.newKeySet();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final SharedIndexInformer<Node> nodes;
    private final SharedIndexInformer<Pod> pods;

    PlayedKubelet(KubernetesClient client) {
        this.client = client;
        nodes = client.nodes().runnableInformer(0);
        pods = client.pods().inAnyNamespace().runnableInformer(0);
        nodes.addEventHandler(new News<>(this::lookAtThoseFor));
        pods.addEventHandler(new News<>(this::look));
        nodes.run();
        pods.run();
    }

    /** From now on the pods of this name are not ready. */
    void hurt(String name) {
        unwell.add(name);
        lookAtAll();
    }

    void heal(String name) {
        unwell.remove(name);
        lookAtAll();
    }

    /** From now on the pods of this name take their time to end. */
    void delay(String name) {
        lingering.add(name);
    }

    void hurry(String name) {
        lingering.remove(name);
        lookAtAll();
    }

    private void lookAtAll() {
        pods.getStore().list().forEach(this::look);
    }

    /** Those that wait for the node to come, or to lose a taint. */
    private void lookAtThoseFor(Node node) {
        pods.getStore().list().stream()
                .filter(pod -> pod.getSpec().getNodeName() == null
                        && Pods.node(pod).equals(node.getMetadata().getName()))
                .forEach(this::look);
    }

    private void look(Pod pod) {
        work.execute(() -> attempt(pod));
    }

    private void attempt(Pod pod) {
        try {
            advance(pod);
        } catch (KubernetesClientException refused) {
            if (!LATE.contains(refused.getCode())) {
                failures.add(refused);
            }
        }
    }

    private void advance(Pod pod) {
        String name = pod.getMetadata().getName();
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            if (!lingering.contains(name) && isStillThere(pod)) {
                client.resource(pod).withGracePeriod(0).delete();
            }
        } else if (pod.getSpec().getNodeName() == null) {
            bind(pod);
        } else {
            tell(pod);
        }
    }

    /** And not a later one of the same name. */
    private boolean isStillThere(Pod pod) {
        var now = client.resource(pod).get();
        return now != null && same(now, pod);
    }

    private static boolean same(Pod one, Pod other) {
        return one.getMetadata().getUid().equals(other.getMetadata().getUid());
    }

    private void bind(Pod pod) {
        String wanted = Pods.node(pod);
        var node = nodes.getStore().getByKey(wanted);
        if (node == null || !Pods.tolerates(pod, node)) {
            return;
        }
        client.bindings()
                .inNamespace(pod.getMetadata().getNamespace())
                .resource(new BindingBuilder()
                        .withNewMetadata()
                        .withName(pod.getMetadata().getName())
                        .withNamespace(pod.getMetadata().getNamespace())
                        .endMetadata()
                        .withNewTarget()
                        .withApiVersion("v1")
                        .withKind("Node")
                        .withName(wanted)
                        .endTarget()
                        .build())
                .create();
    }

    private void tell(Pod pod) {
        boolean well = !broken(pod) && !unwell.contains(pod.getMetadata().getName());
        var now = pod.getStatus();
        if (well == Pods.ready(pod)
                && now.getContainerStatuses() != null
                && !now.getContainerStatuses().isEmpty()) {
            return;
        }
        client.resource(pod).editStatus(found -> {
            if (same(found, pod)) {
                found.setStatus(status(found, well));
            }
            return found;
        });
    }

    private static boolean broken(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .anyMatch(container -> container.getImage().startsWith(BROKEN));
    }

    private static PodStatus status(Pod pod, boolean ready) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        return new PodStatusBuilder()
                .withPhase(broken(pod) ? "Pending" : "Running")
                .withStartTime(now)
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .withLastTransitionTime(now)
                .endCondition()
                .withContainerStatuses(containers(pod, ready))
                .build();
    }

    private static List<ContainerStatus> containers(Pod pod, boolean ready) {
        return pod.getSpec().getContainers().stream()
                .map(container -> new ContainerStatusBuilder()
                        .withName(container.getName())
                        .withImage(container.getImage())
                        .withImageID(container.getImage())
                        .withReady(ready)
                        .withRestartCount(0)
                        .build())
                .toList();
    }

    private record News<T extends HasMetadata>(Consumer<T> tell) implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T now) {
            tell.accept(now);
        }

        @Override
        public void onUpdate(T before, T now) {
            tell.accept(now);
        }

        @Override
        public void onDelete(T last, boolean unknown) {
            // What is gone needs nothing.
        }
    }

    @Override
    public void close() {
        pods.stop();
        nodes.stop();
        work.shutdownNow();
        var failed = failures.peek();
        if (failed != null) {
            throw new AssertionError("pods could not be played", failed);
        }
    }
}
