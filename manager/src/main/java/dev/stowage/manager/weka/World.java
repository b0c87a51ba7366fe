package dev.stowage.manager.weka;

import dev.stowage.kube.Cache;
import dev.stowage.kube.weka.CsiConfig;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaCluster;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.apply.Ownership;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that is known of clients, their nodes and what was made for them. */
final class World implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(World.class);
    private static final String VALUES = "csi.yaml";
    private static final String BY_CLIENT = "client";
    private static final String BY_NODE = "node";
    private static final String BY_CONTAINER = "container";

    private final KubernetesClient client;
    private final String valuesName;
    private final Cache<WekaClient> clients;
    private final Cache<WekaContainer> containers;
    private final Cache<WekaCluster> clusters;
    private final Cache<Node> nodes;
    private final Cache<Pod> clientPods;
    private final Cache<Pod> driverPods;
    private final Cache<ConfigMap> values;
    private final Children children;
    private volatile Values.Read latest = Values.Read.unknown("the values are not known yet");
    private volatile String latestText = "";
    private volatile boolean complete;

    /**
     * Begins to follow everything.
     *
     * @param valuesName the ConfigMap that the values are in, as NAMESPACE/NAME
     * @param changed is told what has to be looked at
     */
    World(KubernetesClient client, String valuesName, Duration again, Consumer<Key> changed) {
        this.client = client;
        this.valuesName = valuesName;
        var changes = new WorldChanges(this, changed);
        clients = Cache.start(
                client.resources(WekaClient.class).inAnyNamespace(), Map.of(), again, changes.ofClients(), LOG::debug);
        containers = Cache.start(
                client.resources(WekaContainer.class).inAnyNamespace(),
                Map.of(BY_CLIENT, World::clientOf, BY_NODE, World::nodeOf),
                again,
                changes.ofContainers(),
                LOG::debug);
        clusters = Cache.start(
                client.resources(WekaCluster.class).inAnyNamespace(),
                Map.of(),
                again,
                changes.ofClusters(),
                LOG::debug);
        nodes = Cache.start(client.nodes(), Map.of(), again, changes.ofNodes(), LOG::debug);
        clientPods = Cache.start(
                client.pods().inAnyNamespace().withLabel(WekaResources.MODE, WekaResources.MODE_CLIENT),
                Map.of(
                        BY_CLIENT,
                        World::labelledClientOf,
                        BY_CONTAINER,
                        pod -> containerOf(pod).stream().toList()),
                again,
                changes.ofClientPods(),
                LOG::debug);
        driverPods = Cache.start(
                client.pods().inAnyNamespace().withLabel(WekaResources.DRIVER),
                Map.of(
                        Children.BY_OWNER,
                        pod -> WekaOwnership.LABELS.owner(pod).stream().toList(),
                        BY_CONTAINER,
                        pod -> containerOf(pod).stream().toList()),
                again,
                changes.ofDriverPods(),
                LOG::debug);
        children = new Children(client, WekaOwnership.LABELS, again, driver -> changed.accept(Key.driver(driver)));
        int border = valuesName.indexOf('/');
        values = Cache.start(
                client.configMaps()
                        .inNamespace(valuesName.substring(0, border))
                        .withField("metadata.name", valuesName.substring(border + 1)),
                Map.of(),
                again,
                changes.ofValues(),
                LOG::debug);
        complete = true;
    }

    /** Whether everything is followed. */
    boolean complete() {
        return complete;
    }

    /** By its owner: the label has not room for every name. */
    private static List<String> clientOf(WekaContainer container) {
        return owners(container)
                .filter(owner -> owner.getKind().equals("WekaClient"))
                .map(OwnerReference::getName)
                .findFirst()
                .or(() -> Ownership.label(container, WekaResources.CLIENT))
                .map(name -> container.getMetadata().getNamespace() + "/" + name)
                .stream()
                .toList();
    }

    private static List<String> labelledClientOf(Pod pod) {
        return Ownership.label(pod, WekaResources.CLIENT)
                .map(label -> pod.getMetadata().getNamespace() + "/" + label)
                .stream()
                .toList();
    }

    private static String labelled(WekaClient client) {
        return client.getMetadata().getNamespace()
                + "/"
                + WekaNames.label(client.getMetadata().getName());
    }

    private static Stream<OwnerReference> owners(WekaContainer container) {
        return Stream.ofNullable(container.getMetadata().getOwnerReferences()).flatMap(List::stream);
    }

    /** Whether a container is a client, and of our concern. Of one that cannot be read only its label tells. */
    static boolean isClient(WekaContainer container) {
        return container.getSpec().unreadable() == null
                ? WekaResources.MODE_CLIENT.equals(container.getSpec().mode())
                : Ownership.label(container, WekaResources.MODE)
                        .filter(WekaResources.MODE_CLIENT::equals)
                        .isPresent();
    }

    private static List<String> nodeOf(WekaContainer container) {
        String node = container.getSpec().nodeAffinity();
        return node == null ? List.of() : List.of(node);
    }

    /** The container that a pod is for, as NAMESPACE/NAME. */
    static Optional<String> containerOf(HasMetadata pod) {
        var annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? Optional.empty() : Optional.ofNullable(annotations.get(WekaResources.CONTAINER));
    }

    boolean known() {
        return Stream.of(clients, containers, clusters, nodes, clientPods, driverPods, values)
                        .allMatch(Cache::filled)
                && children.known();
    }

    /** What is decided for all drivers. The same text is read once. Of a text that makes no sense, the values are those before it. */
    synchronized Values.Read values() {
        var found = values.find(valuesName).map(ConfigMap::getData).map(data -> data.get(VALUES));
        if (found.isEmpty()) {
            return latest.refused("ConfigMap %s is not there, or has no %s".formatted(valuesName, VALUES));
        }
        if (!found.get().equals(latestText)) {
            var read = Values.parse(found.get(), client.getKubernetesSerialization());
            latest = read.problems().isEmpty() ? read : latest.refused(read.problems());
            latestText = found.get();
        }
        return latest;
    }

    List<WekaClient> clients() {
        return clients.all();
    }

    Optional<WekaClient> client(String name) {
        return clients.find(name);
    }

    /** The client that a container was made by. */
    Optional<WekaClient> clientOfContainer(WekaContainer container) {
        return clientOf(container).stream()
                .flatMap(name -> clients.find(name).stream())
                .findFirst();
    }

    /** The client that a pod was made for, by its label: its container may be gone. */
    Optional<WekaClient> clientOfPod(Pod pod) {
        return labelledClientOf(pod).stream()
                .flatMap(label ->
                        clients.all().stream().filter(client -> labelled(client).equals(label)))
                .findFirst();
    }

    /** The cluster that a client names, if it is there. */
    Optional<WekaCluster> targetOf(WekaClient client) {
        return client.getSpec().targetCluster() == null ? Optional.empty() : clusters.find(targetName(client));
    }

    /** The name of the cluster that a client names, as NAMESPACE/NAME. */
    static String targetName(WekaClient client) {
        var target = Objects.requireNonNull(client.getSpec().targetCluster());
        String namespace = target.namespace();
        return (namespace == null || namespace.isEmpty() ? client.getMetadata().getNamespace() : namespace)
                + "/"
                + target.name();
    }

    /** What is said of the driver of a client: by itself, or else by its cluster. */
    CsiConfig configOf(WekaClient client) {
        var theirs = targetOf(client).map(cluster -> cluster.getSpec().csiConfigOrNone());
        return client.getSpec().csiConfigOrNone().orElse(theirs.orElse(CsiConfig.NONE));
    }

    List<WekaContainer> containers() {
        return containers.all();
    }

    Optional<WekaContainer> container(String name) {
        return containers.find(name);
    }

    /** Those that a client has made. Others may carry its label, or be of a former one of its name. */
    List<WekaContainer> containersOf(WekaClient client) {
        return containers.by(BY_CLIENT, Key.named(client)).stream()
                .filter(container -> owners(container)
                        .anyMatch(owner -> Objects.equals(
                                owner.getUid(), client.getMetadata().getUid())))
                .toList();
    }

    List<WekaContainer> containersOn(String node) {
        return containers.by(BY_NODE, node);
    }

    List<Node> nodes() {
        return nodes.all();
    }

    Optional<Node> node(String name) {
        return nodes.find(name);
    }

    /** The pods of a container's client. */
    List<Pod> podsOf(String container) {
        return clientPods.by(BY_CONTAINER, container);
    }

    /** The pods of a client, also those whose container is gone. Containers and pods of others may carry its label. */
    List<Pod> podsOf(WekaClient client) {
        var own = containersOf(client).stream().map(Key::named).collect(Collectors.toSet());
        return clientPods.by(BY_CLIENT, labelled(client)).stream()
                .filter(pod -> containerOf(pod)
                        .filter(name -> own.contains(name) || container(name).isEmpty())
                        .isPresent())
                .toList();
    }

    /** Whatever the driver. */
    List<Pod> nodeServersOf(String container) {
        return driverPods.by(BY_CONTAINER, container);
    }

    List<Pod> nodeServers(String driver) {
        return driverPods.by(Children.BY_OWNER, driver).stream()
                .filter(pod -> containerOf(pod).isPresent())
                .toList();
    }

    Optional<Pod> driverPod(String name) {
        return driverPods.find(name);
    }

    Children children() {
        return children;
    }

    /** All drivers of which there is something, or should be. */
    Set<String> drivers() {
        var all = new TreeSet<>(children.owners());
        driverPods.all().stream()
                .flatMap(pod -> WekaOwnership.LABELS.owner(pod).stream())
                .forEach(all::add);
        clients.all().stream()
                .flatMap(each -> Stream.ofNullable(each.getStatus().csiDriverName()))
                .forEach(all::add);
        containers.all().stream().flatMap(ServerRecords::drivers).forEach(all::add);
        return all;
    }

    /** Everything that there is to look at. */
    void all(Consumer<Key> each) {
        clients.all().forEach(client -> each.accept(Key.client(client)));
        containers.all().forEach(container -> each.accept(Key.container(Key.named(container))));
        // Of a container that went while nobody looked.
        clientPods.all().forEach(pod -> containerOf(pod).ifPresent(name -> each.accept(Key.container(name))));
        drivers().forEach(driver -> each.accept(Key.driver(driver)));
        nodes.all().forEach(node -> each.accept(Key.node(node.getMetadata().getName())));
    }

    @Override
    public void close() {
        Stream.of(clients, containers, clusters, nodes, clientPods, driverPods, values)
                .forEach(Cache::close);
        children.close();
    }
}
