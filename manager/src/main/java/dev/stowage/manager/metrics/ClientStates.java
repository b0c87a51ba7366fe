package dev.stowage.manager.metrics;

import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaClient.Containers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** How the storage clients are, as their statuses say. */
final class ClientStates {

    private static final String CLIENTS = "stowage_manager_clients";

    private final List<WekaClient> clients;

    ClientStates(List<WekaClient> clients) {
        this.clients = clients;
    }

    void write(Page page) {
        byStatus(page);
        var each = new EachOf<>("stowage_manager_client", clients);
        each.lines(
                page,
                "info",
                "The driver that was deployed for a client, empty for none.",
                client -> Stream.of(new EachOf.Line(
                        1,
                        "driver",
                        Objects.requireNonNullElse(client.getStatus().csiDriverName(), ""))));
        each.conditions(
                page,
                "Conditions of clients: 1 for the status that one has now.",
                client -> client.getStatus().conditions());
        each.gauge(
                page,
                "driver_deployed",
                "Whether the driver of a client is deployed.",
                client -> Boolean.TRUE.equals(client.getStatus().csiDeployed()) ? 1 : 0);
        containers(page, each, "wanted", "Nodes that a client is to run on.", Containers::desired);
        containers(page, each, "created", "Containers of a client that there are.", Containers::created);
        containers(page, each, "running", "Containers of a client that run and are well.", Containers::active);
    }

    private void byStatus(Page page) {
        var statuses = new TreeMap<>(Map.of("Init", 0, "Running", 0, "Destroying", 0, "Error", 0));
        clients.forEach(client ->
                statuses.merge(Objects.requireNonNullElse(client.getStatus().status(), "Init"), 1, Integer::sum));
        page.family(CLIENTS, "gauge", "WekaClients by their status.");
        statuses.forEach((status, count) -> page.line(CLIENTS, count, "status", status));
    }

    private static void containers(
            Page page, EachOf<WekaClient> each, String which, String help, ToIntFunction<Containers> count) {
        each.gauge(page, "containers_" + which, help, client -> {
            var stats = client.getStatus().stats();
            return stats == null ? 0 : count.applyAsInt(stats.containers());
        });
    }
}
