package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a manager's work has cost since it was started. */
final class Costs {

    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

    private Costs() {}

    /** Prints requests and memory, and keeps the requests within a bound. */
    static void assertAffordable(RunningManager manager, int deployments, double requestsForEach) {
        var figures = manager.figures();
        var each = METHODS.stream()
                .map(method -> "%s %.1f".formatted(method, requests(figures, method) / deployments))
                .collect(Collectors.joining(", "));
        System.out.printf(
                "for each of %d deployments: %s requests; %.0f MB resident%n",
                deployments, each, figures.of("process_resident_memory_bytes") / (1 << 20));
        double all = METHODS.stream()
                .mapToDouble(method -> requests(figures, method))
                .sum();
        assertThat(all / deployments).as("requests for each deployment").isLessThan(requestsForEach);
    }

    /** Not those of elections. */
    private static double requests(Figures figures, String method) {
        return figures.series().entrySet().stream()
                .filter(series -> series.getKey().startsWith("rest_client_requests_total{client=\"work\"")
                        && series.getKey().contains("method=\"" + method + "\""))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }
}
