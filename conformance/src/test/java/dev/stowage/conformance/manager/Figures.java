package dev.stowage.conformance.manager;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Metrics as they were served, each series with its value. */
public record Figures(Map<String, Double> series) {

    private static final Pattern LINE = Pattern.compile("([a-z_]+(?:\\{.*})?) (\\S+)");

    /** Whatever does not have the shape of Prometheus' text format is an error. */
    public static Figures read(String text) {
        var series = new HashMap<String, Double>();
        text.lines().filter(line -> !line.startsWith("# ")).forEach(line -> {
            var match = LINE.matcher(line);
            if (!match.matches()) {
                throw new AssertionError("no line of metrics: " + line);
            }
            if (series.put(match.group(1), Double.valueOf(match.group(2))) != null) {
                throw new AssertionError("it is there twice: " + line);
            }
        });
        return new Figures(series);
    }

    /** The value of a series, or NaN where there is none. */
    public double of(String name) {
        return series.getOrDefault(name, Double.NaN);
    }

    /** The sum of all series of a name whose labels contain this. */
    public double sum(String name, String labels) {
        return series.entrySet().stream()
                .filter(each ->
                        each.getKey().startsWith(name + "{") && each.getKey().contains(labels))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** What is served, without labels. */
    Set<String> names() {
        var names = new HashSet<String>();
        series.keySet().forEach(each -> names.add(each.replaceFirst("\\{.*", "")));
        return names;
    }
}
