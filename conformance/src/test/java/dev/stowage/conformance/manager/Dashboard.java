package dev.stowage.conformance.manager;

import dev.stowage.conformance.cluster.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The dashboard of the chart, and which series it asks for. */
final class Dashboard {

    private static final Set<String> LANGUAGE =
            Set.of("sum", "max", "rate", "increase", "histogram_quantile", "label_values", "and", "or", "bool");
    private static final Pattern STRINGS = Pattern.compile("\"[^\"]*\"");
    private static final Pattern SELECTORS = Pattern.compile("\\{[^}]*}|\\[[^]]*]");
    private static final Pattern LABELS = Pattern.compile("\\b(?:by|on|ignoring|without|group_left) *\\([^)]*\\)");
    /** The second of label_values(series, label). */
    private static final Pattern LABEL_OF_VALUES = Pattern.compile(", *[a-z_]+\\)$");

    private static final Pattern WORD = Pattern.compile("[a-z_]{2,}");

    private final Set<String> series = new TreeSet<>();

    private Dashboard() {}

    static Dashboard read(ControlPlane plane) throws IOException {
        String text = Files.readString(
                Path.of(System.getenv("STOWAGE_HOME"), "charts", "stowage", "files", "dashboards", "manager.json"));
        var dashboard = new Dashboard();
        dashboard.walk(plane.client().getKubernetesSerialization().unmarshal(text, Map.class));
        return dashboard;
    }

    private void walk(Object tree) {
        if (tree instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (value instanceof String text && (key.equals("expr") || key.equals("query"))) {
                    ask(text);
                } else {
                    walk(value);
                }
            });
        } else if (tree instanceof Collection<?> list) {
            list.forEach(this::walk);
        }
    }

    private void ask(String expression) {
        String bare = expression;
        for (Pattern noSeries : new Pattern[] {STRINGS, SELECTORS, LABELS, LABEL_OF_VALUES}) {
            bare = noSeries.matcher(bare).replaceAll(" ");
        }
        WORD.matcher(bare)
                .results()
                .map(match -> match.group())
                .filter(word -> !LANGUAGE.contains(word) && !word.equals("prometheus"))
                .forEach(series::add);
    }

    Set<String> series() {
        return series;
    }
}
