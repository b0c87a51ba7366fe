package dev.stowage.manager.weka;

import dev.stowage.kube.Api;
import dev.stowage.kube.Digest;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Conditions;
import dev.stowage.manager.apply.StatusBook;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Brings a client to its nodes, and its driver with it. */
final class ClientReconciler {

    private static final String CONTAINERS_READY = "ContainersReady";
    private static final String CSI_DEPLOYED = "CsiDeployed";
    private static final int MOST_NAMES = 10;

    private final KubernetesClient client;
    private final World world;
    private final ClientContainers containers;
    private final ClientDrivers drivers;
    private final Departures departures;
    private final StatusBook book;

    ClientReconciler(
            KubernetesClient client,
            World world,
            ClientContainers containers,
            ClientDrivers drivers,
            Departures departures,
            StatusBook book) {
        this.client = client;
        this.world = world;
        this.containers = containers;
        this.drivers = drivers;
        this.departures = departures;
        this.book = book;
    }

    /** @return whether there is nothing more to do before something changes */
    boolean reconcile(String name) {
        var found = world.client(name);
        if (found.isEmpty()) {
            return true;
        }
        var present = found.get();
        if (present.getMetadata().getDeletionTimestamp() != null) {
            return end(present);
        }
        if (present.getSpec().unreadable() != null) {
            var step = drivers.step(present);
            book.write(present, status(present, "Error", containers(present), step));
            return true;
        }
        var ours = protect(present);
        var step = drivers.step(ours);
        var result = containers.settle(ours, step.ofContainers());
        String state = !result.errors().isEmpty() ? "Error" : result.active() == result.desired() ? "Running" : "Init";
        book.write(ours, status(ours, state, result, step));
        return result.errors().isEmpty() && step.settled();
    }

    /** Those that are there; nobody knows how many there should be. */
    private ClientContainers.Result containers(WekaClient present) {
        var all = world.containersOf(present);
        int active = (int) all.stream()
                .filter(each -> "Running".equals(each.getStatus().status()))
                .count();
        return new ClientContainers.Result(
                all.size(),
                all.size(),
                active,
                List.of(),
                List.of(String.valueOf(present.getSpec().unreadable())));
    }

    /** Containers and their pods first: nothing new is mounted by a driver that goes. */
    private boolean end(WekaClient present) {
        var errors = containers.removeAll(present);
        boolean none = departures.isOver(present);
        var step = drivers.step(present);
        if (none && step.driver() == null && present.getStatus().csiDriverName() == null) {
            return Api.attempt(
                            Adoption.named(present),
                            () -> client.resource(present).edit(found -> {
                                found.getMetadata().getFinalizers().remove(WekaResources.FINALIZER);
                                return found;
                            }))
                    .isPresent();
        }
        int left = world.containersOf(present).size();
        book.write(
                present,
                status(present, "Destroying", new ClientContainers.Result(0, left, 0, List.of(), errors), step));
        return none && step.settled();
    }

    private WekaClient.Status status(
            WekaClient present, String state, ClientContainers.Result result, ClientDrivers.Step step) {
        var before = present.getStatus();
        boolean ready = result.errors().isEmpty() && result.active() == result.desired();
        String count = result.active() + "/" + result.desired();
        var conditions = new Conditions(before.conditions())
                .set(
                        CONTAINERS_READY,
                        ready ? "True" : "False",
                        result.errors().isEmpty() ? (ready ? "Running" : "Progressing") : "Failed",
                        result.errors().isEmpty()
                                ? "%s containers run%s".formatted(count, others(result.others()))
                                : String.join("; ", result.errors()))
                .set(
                        CSI_DEPLOYED,
                        step.deployed() && step.reason().equals("Deployed") ? "True" : "False",
                        step.reason(),
                        step.message())
                .all();
        return new WekaClient.Status(
                present.getMetadata().getGeneration(),
                state,
                conditions,
                step.deployed(),
                step.driver(),
                step.hash(),
                step.cluster(),
                Digest.ofTree(
                        client.getKubernetesSerialization().convertValue(Map.of("spec", present.getSpec()), Map.class)),
                new WekaClient.Stats(new WekaClient.Containers(result.active(), result.created(), result.desired())),
                new WekaClient.Printer(count));
    }

    /** Which do not run, as far as there is room for it. */
    private static String others(List<String> others) {
        String some = others.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return others.isEmpty()
                ? ""
                : "; not: " + some
                        + (others.size() > MOST_NAMES ? " and " + (others.size() - MOST_NAMES) + " more" : "");
    }

    private WekaClient protect(WekaClient present) {
        var finalizers = present.getMetadata().getFinalizers();
        if (finalizers != null && finalizers.contains(WekaResources.FINALIZER)) {
            return present;
        }
        return Api.call(
                Adoption.named(present),
                () -> client.resource(present).edit(found -> {
                    found.addFinalizer(WekaResources.FINALIZER);
                    return found;
                }));
    }
}
