package dev.stowage.manager.weka;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Digest;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.apply.Restored;
import dev.stowage.manager.beside.Gradually;
import dev.stowage.manager.beside.NodeServers;
import dev.stowage.manager.beside.Placement;
import dev.stowage.manager.beside.ReadyNodes;
import dev.stowage.manager.driver.NotUnderstood;
import dev.stowage.manager.driver.Part;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The node servers of a driver: one beside each container of the clients that have it. */
final class ContainerServers {

    private static final int DIGEST = 8;

    private final World world;
    private final Servings servings;
    private final NodeServers servers;
    private final ServerRecords records;
    private final Departures departures;

    ContainerServers(
            World world, Servings servings, NodeServers servers, ServerRecords records, Departures departures) {
        this.world = world;
        this.servings = servings;
        this.servers = servers;
        this.records = records;
        this.departures = departures;
    }

    /**
     * What has become of them.
     *
     * @param kept by the node: who is in the way of the end of one that is not wanted any more, whether its pod is there just now or not
     * @param outdated the nodes whose servers are of a former template until others are replaced, or until the API server takes another
     * @param restored what was removed because somebody had changed it
     * @param errors what could not be done, and why
     */
    record Result(Map<String, List<String>> kept, Set<String> outdated, List<Restored> restored, List<String> errors) {

        /** Whether there is nothing more to do before something changes. Nobody tells when what is mounted is not any more. */
        boolean settled() {
            return kept.isEmpty() && errors.isEmpty();
        }
    }

    /** Removes those whose container is gone, or has another driver now, and leaves the others as they are. What is deleted of them comes back. */
    Result prune(String driver, Set<String> sharers) {
        var served = servings.served(driver, sharers);
        return settle(driver, served, asTheyAre(driver, served), servings.former(driver, sharers, served.keySet()));
    }

    /** By their names: the pods that are on the nodes of some containers, or were. */
    private Map<String, Pod> asTheyAre(String driver, Map<String, WekaContainer> containers) {
        var wanted = new TreeMap<String, Pod>();
        for (var pod : world.nodeServers(driver)) {
            if (Placement.node(pod).filter(containers::containsKey).isPresent()) {
                wanted.put(pod.getMetadata().getName(), pod);
            }
        }
        again(driver, containers, wanted);
        return wanted;
    }

    /**
     * Makes them what they are to be. Of those whose container or client cannot be read nobody can tell that, and they stay as they are.
     *
     * @param template of all of them; what each container adds comes to it
     */
    Result settle(String driver, Set<String> sharers, WekaNames names, PodTemplateSpec template, Values values) {
        var served = servings.served(driver, sharers);
        var unclear = new LinkedHashMap<>(served);
        unclear.values().removeIf(container -> !servings.isUnclear(container));
        var asTheyAre = asTheyAre(driver, unclear);
        var wanted = new TreeMap<String, Pod>();
        served.forEach((node, container) -> {
            if (!unclear.containsKey(node)) {
                var taken = new HashSet<>(asTheyAre.keySet());
                taken.addAll(wanted.keySet());
                String name = name(container, node, driver, names, taken);
                wanted.put(name, NotUnderstood.unless(() -> pod(container, node, name, names, template)));
            }
        });
        // What only stays as it is, is on record already.
        var errors = note(driver, served, wanted);
        wanted.putAll(asTheyAre);
        boolean keeps = values.keepNodeServerUntilUnmounted();
        var result =
                settle(driver, served, wanted, keeps ? servings.former(driver, sharers, served.keySet()) : Map.of());
        result.errors().addAll(errors);
        return result;
    }

    /** Removes all of them, except those that are to stay. */
    Result remove(String driver, boolean keeps) {
        return settle(
                driver, Map.of(), new TreeMap<>(), keeps ? servings.former(driver, Set.of(), Set.of()) : Map.of());
    }

    private Result settle(
            String driver,
            Map<String, WekaContainer> served,
            Map<String, Pod> wanted,
            Map<String, Servings.Former> former) {
        var present = world.nodeServers(driver);
        var kept = new TreeMap<String, List<String>>();
        former.forEach((node, each) -> kept.put(node, each.holders()));
        var gradually = new Gradually(
                present,
                Map.copyOf(wanted),
                node -> world.node(node).filter(ReadyNodes::ready).isPresent(),
                (pod, again) -> again
                        ? List.of()
                        : kept.getOrDefault(Placement.node(pod).orElse(""), List.of()));
        var containers = new TreeMap<String, WekaContainer>();
        former.forEach((node, each) -> containers.put(node, each.container()));
        again(driver, containers, wanted);
        var settled = servers.settle(present, wanted, gradually);
        var errors = new ArrayList<>(settled.errors());
        containers.putAll(served);
        errors.addAll(forget(driver, containers));
        var outdated = new TreeSet<>(settled.inTurn());
        outdated.addAll(settled.refused().keySet());
        return new Result(kept, outdated, settled.restored(), errors);
    }

    /** Wants those anew that are on record and not there: deleted, evicted, or lost with their node. */
    private void again(String driver, Map<String, WekaContainer> containers, Map<String, Pod> wanted) {
        var there = world.nodeServers(driver).stream()
                .flatMap(pod -> Placement.node(pod).stream())
                .collect(Collectors.toSet());
        containers.forEach((node, container) -> {
            if (!there.contains(node)) {
                records.of(container, driver)
                        .ifPresent(pod -> wanted.put(pod.getMetadata().getName(), pod));
            }
        });
    }

    /**
     * Puts on record what is to be made, and what is there as it is to be. What cannot be noted is not made, and in place of what the API server would not
     * take, what is on record is made again.
     */
    private List<String> note(String driver, Map<String, WekaContainer> served, Map<String, Pod> wanted) {
        var present = world.nodeServers(driver).stream()
                .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), pod -> pod, (one, other) -> one));
        var errors = new ArrayList<String>();
        var successors = servers.successors();
        for (var pod : List.copyOf(wanted.values())) {
            String name = pod.getMetadata().getName();
            var there = present.get(name);
            if (there != null && !servers.placement().isCurrent(there, pod)) {
                continue;
            }
            try {
                var container =
                        Objects.requireNonNull(served.get(Placement.node(pod).orElseThrow()));
                var former = there == null ? records.other(container, driver, pod) : Optional.<Pod>empty();
                var refusal = former.flatMap(_ -> successors.refusal(pod));
                if (refusal.isEmpty()) {
                    records.note(container, driver, pod);
                    continue;
                }
                errors.add(refusal.get());
                wanted.remove(name);
                wanted.putIfAbsent(former.get().getMetadata().getName(), former.get());
            } catch (StowageException failed) {
                errors.add(failed.getMessage());
                if (there == null) {
                    wanted.remove(name);
                }
            }
        }
        return errors;
    }

    /** @param containers by the node: those that have a node server of the driver, or are to have it again */
    private List<String> forget(String driver, Map<String, WekaContainer> containers) {
        var still = containers.values().stream().map(Key::named).collect(Collectors.toSet());
        var errors = new ArrayList<String>();
        for (var container : servings.recorded(driver)) {
            if (!still.contains(Key.named(container))) {
                try {
                    records.forget(container, driver);
                } catch (StowageException failed) {
                    errors.add(failed.getMessage());
                }
            }
        }
        return errors;
    }

    /**
     * A driver has one socket on a node, so the pod that is there is replaced, and none comes beside it, even if it was for another container.
     * The usual name of a new one may be taken, by a former driver, whose server may be away for a moment, or a container of another namespace.
     */
    private String name(WekaContainer container, String node, String driver, WekaNames names, Set<String> taken) {
        String key = Key.named(container);
        var present = world.nodeServers(driver).stream()
                .filter(pod -> Placement.node(pod).filter(node::equals).isPresent())
                .filter(pod -> !taken.contains(pod.getMetadata().getName()))
                .min(Comparator.comparing((Pod pod) ->
                                !World.containerOf(pod).filter(key::equals).isPresent())
                        .thenComparing(pod -> pod.getMetadata().getName()))
                .map(pod -> pod.getMetadata().getName());
        // One that lost its labels still has its name.
        var known = present.or(() -> records.of(container, driver)
                .map(pod -> pod.getMetadata().getName())
                .filter(name -> !taken.contains(name)));
        if (known.isPresent()) {
            return known.get();
        }
        String usual = container.getMetadata().getName() + "-csi-node";
        boolean free = !taken.contains(usual)
                && world.driverPod(names.namespace() + "/" + usual).isEmpty()
                && ServerRecords.drivers(container)
                        .filter(other -> !other.equals(driver))
                        .flatMap(other -> records.of(container, other).stream())
                        .noneMatch(pod -> pod.getMetadata().getName().equals(usual));
        return free
                ? usual
                : container.getMetadata().getName() + "-"
                        + Digest.of(driver + " " + key).substring(0, DIGEST) + "-csi-node";
    }

    private Pod pod(WekaContainer container, String node, String name, WekaNames names, PodTemplateSpec template) {
        var advanced = world.clientOfContainer(container)
                .map(client -> world.configOf(client).advancedOrNone());
        var tolerations = new ArrayList<Toleration>(
                Objects.requireNonNullElse(container.getSpec().tolerations(), List.<Toleration>of()));
        advanced.map(each -> each.nodeTolerations()).ifPresent(tolerations::addAll);
        var labels = new HashMap<String, String>();
        advanced.map(each -> each.nodeLabels()).ifPresent(labels::putAll);
        var metadata = new ObjectMetaBuilder(names.beside(Part.NODE, name))
                .addToAnnotations(WekaResources.CONTAINER, Key.named(container))
                .build();
        return servers.placement().pod(node, metadata, DriverPods.beside(template, tolerations, labels));
    }

    /** Whether all have ended that do not stay, or are on nodes that do not answer. */
    boolean gone(String driver, Result result) {
        return world.nodeServers(driver).stream()
                .filter(pod -> !result.kept().containsKey(Placement.node(pod).orElse("")))
                .allMatch(departures::isLost);
    }
}
