package dev.stowage.manager.weka;

import dev.stowage.kube.Api;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells on the labels of a node which drivers volumes can be used with there. What we have put there is noted, and nothing else is touched. */
final class Topology {

    private final KubernetesClient client;
    private final World world;

    Topology(KubernetesClient client, World world) {
        this.client = client;
        this.world = world;
    }

    /** @return whether there is nothing more to do before something changes */
    boolean reconcile(String name) {
        var found = world.node(name);
        if (found.isEmpty()) {
            return true;
        }
        var node = found.get();
        // Also of values before those that cannot be read: a client may cease to be well meanwhile.
        var wanted = drivers(name, world.values().values());
        var noted = noted(node);
        if (wanted.isEmpty() && noted.isEmpty()) {
            return true;
        }
        var labels = new TreeMap<String, @Nullable String>();
        noted.stream()
                .filter(driver -> !wanted.contains(driver))
                .forEach(driver -> labels(driver, name).keySet().forEach(label -> labels.put(label, null)));
        wanted.forEach(driver -> labels.putAll(labels(driver, name)));
        var present = NodeSelection.labels(node);
        boolean same = wanted.equals(noted)
                && labels.entrySet().stream()
                        .allMatch(each -> Objects.equals(present.get(each.getKey()), each.getValue()));
        if (!same) {
            write(name, labels, wanted);
        }
        return true;
    }

    private void write(String node, Map<String, @Nullable String> labels, Set<String> drivers) {
        var notes = new LinkedHashMap<String, @Nullable String>();
        notes.put(WekaResources.TOPOLOGY, drivers.isEmpty() ? null : String.join(",", drivers));
        var patch = client.getKubernetesSerialization()
                .asJson(Map.of("metadata", Map.of("labels", labels, "annotations", notes)));
        var _ = Api.attempt(
                "Node " + node,
                () -> client.nodes().withName(node).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    /** The drivers whose labels we have put there. */
    static Set<String> noted(Node node) {
        var notes = node.getMetadata().getAnnotations();
        String text = notes == null ? null : notes.get(WekaResources.TOPOLOGY);
        return text == null || text.isEmpty() ? Set.of() : new TreeSet<>(List.of(text.split(",")));
    }

    private Set<String> drivers(String node, Values values) {
        var drivers = new TreeSet<String>();
        world.containersOn(node).stream()
                .filter(container -> container.getMetadata().getDeletionTimestamp() == null)
                .filter(container -> !values.preventNewWorkloadOnClientContainerNotRunning() || runs(container))
                .flatMap(container -> Stream.ofNullable(container.getSpec().csiDriverName()))
                .forEach(drivers::add);
        return drivers;
    }

    private static boolean runs(WekaContainer container) {
        return ContainerState.RUNNING.equals(container.getStatus().status());
    }

    private static Map<String, String> labels(String driver, String node) {
        String prefix = "topology." + driver + "/";
        return Map.of(prefix + "node", node, prefix + "transport", "wekafs", prefix + "accessible", "true");
    }
}
