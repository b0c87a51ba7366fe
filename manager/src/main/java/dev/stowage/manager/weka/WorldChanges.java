package dev.stowage.manager.weka;

import dev.stowage.kube.Cache;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaCluster;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.manager.beside.ReadyNodes;
import dev.stowage.manager.beside.ReadyPods;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What has to be looked at when something changes. What is told before everything is followed is not: all is looked at then anyway.
 */
final class WorldChanges {

    private final World world;
    private final Consumer<Key> look;

    WorldChanges(World world, Consumer<Key> look) {
        this.world = world;
        this.look = look;
    }

    private <T extends HasMetadata> Cache.Changes<T> told(BiConsumer<@Nullable T, T> tell, Consumer<T> end) {
        return new Cache.Changes<>() {
            @Override
            public void seen(@Nullable T before, T now) {
                if (world.complete()) {
                    tell.accept(before, now);
                }
            }

            @Override
            public void gone(T last) {
                if (world.complete()) {
                    end.accept(last);
                }
            }
        };
    }

    Cache.Changes<WekaClient> ofClients() {
        return told(
                (before, now) -> {
                    look.accept(Key.client(now));
                    driver(now.getStatus().csiDriverName());
                },
                last -> {
                    driver(last.getStatus().csiDriverName());
                    // One of them may have waited for its name.
                    clients();
                });
    }

    private void driver(@Nullable String name) {
        if (name != null) {
            look.accept(Key.driver(name));
        }
    }

    private void clientsAndDrivers() {
        clients();
        world.clients().forEach(client -> driver(client.getStatus().csiDriverName()));
    }

    private void clients() {
        world.clients().forEach(client -> look.accept(Key.client(client)));
    }

    Cache.Changes<WekaContainer> ofContainers() {
        return told(
                (before, now) -> {
                    if (before != null) {
                        around(before);
                    }
                    around(now);
                    if (now.getMetadata().getDeletionTimestamp() != null) {
                        siblings(now);
                    }
                },
                last -> {
                    around(last);
                    siblings(last);
                });
    }

    private void around(WekaContainer container) {
        look.accept(Key.container(Key.named(container)));
        world.clientOfContainer(container).ifPresent(client -> look.accept(Key.client(client)));
        driver(container.getSpec().csiDriverName());
        ServerRecords.drivers(container).forEach(this::driver);
        node(container);
    }

    private void node(WekaContainer container) {
        Stream.ofNullable(container.getSpec().nodeAffinity()).forEach(node -> look.accept(Key.node(node)));
    }

    Cache.Changes<WekaCluster> ofClusters() {
        return told((before, now) -> clientsAndDrivers(), last -> clientsAndDrivers());
    }

    Cache.Changes<Node> ofNodes() {
        return told(
                (before, now) -> {
                    if (before == null || !relevant(before).equals(relevant(now))) {
                        around(now);
                    }
                    if (before != null && ReadyNodes.ready(before) != ReadyNodes.ready(now)) {
                        siblings(now);
                    }
                },
                last -> {
                    around(last);
                    siblings(last);
                });
    }

    /** Nobody waits for a client on a node that is not ready: it may be the turn of another one, or not any more. */
    private void siblings(Node node) {
        world.containersOn(node.getMetadata().getName()).forEach(this::siblings);
    }

    private void around(Node node) {
        String name = node.getMetadata().getName();
        look.accept(Key.node(name));
        world.containersOn(name).forEach(container -> {
            look.accept(Key.container(Key.named(container)));
            driver(container.getSpec().csiDriverName());
        });
        clients();
    }

    private record Relevant(Object labels, Object topology, Object taints, boolean ready, boolean ends) {}

    /** Kubelets write more than that, all the time. */
    private static Relevant relevant(Node node) {
        var spec = Objects.requireNonNullElseGet(node.getSpec(), NodeSpec::new);
        return new Relevant(
                String.valueOf(node.getMetadata().getLabels()),
                Topology.noted(node),
                String.valueOf(spec.getTaints()),
                ReadyNodes.ready(node),
                node.getMetadata().getDeletionTimestamp() != null);
    }

    Cache.Changes<Pod> ofClientPods() {
        return told(
                (before, now) -> {
                    World.containerOf(now).ifPresent(name -> look.accept(Key.container(name)));
                    if (before != null && ReadyPods.ready(before) != ReadyPods.ready(now)) {
                        siblings(now);
                    }
                },
                last -> {
                    World.containerOf(last).ifPresent(name -> look.accept(Key.container(name)));
                    siblings(last);
                    // It may wait for the end of its pods to go itself.
                    world.clientOfPod(last).ifPresent(client -> look.accept(Key.client(client)));
                });
    }

    /** One after the other is replaced: it may be the turn of another one. */
    private void siblings(Pod pod) {
        World.containerOf(pod).flatMap(world::container).ifPresent(this::siblings);
    }

    private void siblings(WekaContainer container) {
        world.clientOfContainer(container)
                .ifPresent(client ->
                        world.containersOf(client).forEach(sibling -> look.accept(Key.container(Key.named(sibling)))));
    }

    Cache.Changes<Pod> ofDriverPods() {
        return told(
                (before, now) -> {
                    if (before != null) {
                        // Somebody may have made it look like that of another driver.
                        nodeServer(before);
                    }
                    nodeServer(now);
                },
                this::nodeServer);
    }

    private void nodeServer(Pod pod) {
        WekaOwnership.LABELS.owner(pod).ifPresent(this::driver);
        World.containerOf(pod).ifPresent(name -> look.accept(Key.container(name)));
        // Its labels may be those of another driver by now, and the one that waits for its end would not hear of it.
        World.containerOf(pod)
                .flatMap(world::container)
                .ifPresent(container -> driver(container.getSpec().csiDriverName()));
    }

    Cache.Changes<ConfigMap> ofValues() {
        return told((before, now) -> world.all(look), last -> world.all(look));
    }
}
