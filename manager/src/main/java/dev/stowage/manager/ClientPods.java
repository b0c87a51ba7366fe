package dev.stowage.manager;

import dev.stowage.kube.Cache;
import dev.stowage.kube.csidriver.CsiDriverDeployment.BesidePods;
import dev.stowage.manager.beside.ReadyPods;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pods that drivers are to be beside. They are followed for as long as a deployment asks for them. */
final class ClientPods implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClientPods.class);

    private final KubernetesClient client;
    private final Duration again;
    private final Consumer<String> changed;
    private final Map<String, Followed> followed = new HashMap<>();

    private record Followed(BesidePods wish, Cache<Pod> pods) {

        Set<String> nodes() {
            var nodes = new TreeSet<String>();
            pods.all().stream()
                    .filter(ReadyPods::ready)
                    .map(pod -> pod.getSpec().getNodeName())
                    .filter(Objects::nonNull)
                    .forEach(nodes::add);
            return nodes;
        }
    }

    /** @param changed is told the deployment whose pods have changed */
    ClientPods(KubernetesClient client, Duration again, Consumer<String> changed) {
        this.client = client;
        this.again = again;
        this.changed = changed;
    }

    /**
     * The nodes on which such a pod is ready.
     *
     * @param namespace of the deployment
     * @return nothing while that is not known; the deployment comes up again when it is
     */
    synchronized Optional<Set<String>> nodes(String key, String namespace, BesidePods wish) {
        var present = followed.get(key);
        if (present == null || !present.wish.equals(wish)) {
            forget(key);
            present = new Followed(wish, follow(key, Objects.requireNonNullElse(wish.namespace(), namespace), wish));
            followed.put(key, present);
        }
        return present.pods.filled() ? Optional.of(present.nodes()) : Optional.empty();
    }

    /** On how many nodes such a pod is ready, as far as that is known; none for a deployment that follows nobody. */
    synchronized int count(String key) {
        var present = followed.get(key);
        return present == null ? 0 : present.nodes().size();
    }

    private Cache<Pod> follow(String key, String namespace, BesidePods wish) {
        return Cache.start(
                client.pods().inNamespace(namespace).withLabelSelector(Objects.requireNonNull(wish.selector())),
                Map.of(),
                again,
                new Cache.Changes<>() {
                    @Override
                    public void seen(@Nullable Pod before, Pod now) {
                        changed.accept(key);
                    }

                    @Override
                    public void gone(Pod last) {
                        changed.accept(key);
                    }
                },
                LOG::debug);
    }

    synchronized void forget(String key) {
        var former = followed.remove(key);
        if (former != null) {
            former.pods.close();
        }
    }

    @Override
    public synchronized void close() {
        followed.values().forEach(each -> each.pods.close());
        followed.clear();
    }
}
