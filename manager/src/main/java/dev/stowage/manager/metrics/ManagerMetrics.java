package dev.stowage.manager.metrics;

import dev.stowage.kube.ApiRequests;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.weka.WekaClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * All figures of a manager.
 *
 * <p>Written out here and not by a client library, as those of the driver are: the library would take more memory than the figures.
 */
public final class ManagerMetrics {

    private static final String RECONCILES = "stowage_manager_reconciles_total";
    private static final String DURATION = "stowage_manager_reconcile_duration_seconds";
    private static final String REQUESTS = "rest_client_requests_total";
    private static final int PAGE_BYTES = 4096;
    private static final Path MEMORY = Path.of("/proc/self/statm");

    private final String version;
    private final Map<String, ApiRequests> clients;
    private final Doings doings;
    private final Instant started = Instant.now();

    /** @param clients what is asked of the API server, by what for */
    public ManagerMetrics(String version, Doings doings, Map<String, ApiRequests> clients) {
        this.version = version;
        this.doings = doings;
        this.clients = new TreeMap<>(clients);
    }

    /**
     * What is true of a manager now.
     *
     * @param leads whether it may do anything. The states of deployments are told by whoever does, or they would be counted twice
     * @param passes over all kinds of objects that it looks after
     * @param deployments all that are known
     * @param nodes on how many nodes Kubernetes wants the pods of one
     * @param clients all that are looked after
     */
    public record Now(
            boolean leads,
            List<Passes> passes,
            List<CsiDriverDeployment> deployments,
            ToIntFunction<CsiDriverDeployment> nodes,
            List<WekaClient> clients) {}

    public String text(Now now) {
        var page = new Page();
        if (now.leads()) {
            new States(now.deployments(), now.nodes()).write(page);
            new ClientStates(now.clients()).write(page);
        }
        doings.write(
                page,
                now.deployments().stream()
                        .map(each -> each.getMetadata().getNamespace() + "/"
                                + each.getMetadata().getName())
                        .collect(Collectors.toSet()));
        write(page, now.passes());
        page.family("leader_election_master_status", "gauge", "Whether this process leads.")
                .line("leader_election_master_status", now.leads() ? 1 : 0, "name", "stowage-manager");
        page.family(REQUESTS, "counter", "Requests to the API server, by what for, method and code.");
        clients.forEach((purpose, requests) -> requests.forEach((kind, count) ->
                page.line(REQUESTS, count, "client", purpose, "code", kind.code(), "method", kind.method())));
        return page.family("process_resident_memory_bytes", "gauge", "Memory of this process that is resident.")
                .line("process_resident_memory_bytes", residentBytes())
                .family("process_start_time_seconds", "gauge", "When this process started, in seconds since 1970.")
                .line("process_start_time_seconds", started.getEpochSecond())
                .family("stowage_build_info", "gauge", "What runs here.")
                .line("stowage_build_info", 1, "version", version, "java", System.getProperty("java.version", ""))
                .text();
    }

    private static void write(Page page, List<Passes> kinds) {
        page.family(RECONCILES, "counter", "Passes over an object, by how they ended.");
        for (var kind : kinds) {
            for (var result : Passes.Result.values()) {
                page.line(RECONCILES, kind.count(result), "name", kind.name(), "result", result.word());
            }
        }
        page.family(DURATION, "histogram", "How long a pass over an object took.");
        kinds.forEach(kind -> kind.durations().write(page, DURATION, "name", kind.name()));
        page.family("workqueue_depth", "gauge", "Objects that something is to be done about.");
        kinds.forEach(kind -> page.line("workqueue_depth", kind.depth(), "name", kind.name()));
        page.family("workqueue_retries_total", "counter", "How often something had to be tried again.");
        kinds.forEach(kind -> page.line("workqueue_retries_total", kind.retries(), "name", kind.name()));
    }

    /** Zero where there is no such file: a figure is not worth an error. */
    private static long residentBytes() {
        try {
            return Long.parseLong(Files.readString(MEMORY).split(" ", 3)[1]) * PAGE_BYTES;
        } catch (IOException unreadable) {
            return 0;
        }
    }
}
