package dev.stowage.manager.metrics;

import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Figures about each object of a kind, told with its namespace and name. One that is gone is not told any more. */
final class EachOf<T extends HasMetadata> {

    private static final List<String> STATUSES = List.of("true", "false", "unknown");

    private final String prefix;
    private final List<T> objects;

    /** @param prefix of the names of all figures */
    EachOf(String prefix, List<T> objects) {
        this.prefix = prefix;
        this.objects = objects.stream()
                .sorted(Comparator.comparing((T object) -> object.getMetadata().getNamespace())
                        .thenComparing(object -> object.getMetadata().getName()))
                .toList();
    }

    void gauge(Page page, String suffix, String help, ToDoubleFunction<T> value) {
        lines(page, suffix, help, object -> Stream.of(new Line(value.applyAsDouble(object))));
    }

    /** All statuses of all conditions: 1 for the one that it has. */
    void conditions(Page page, String help, Function<T, @Nullable List<Condition>> conditions) {
        lines(
                page,
                "condition",
                help,
                object -> list(conditions.apply(object)).stream()
                        .flatMap(condition ->
                                byStatus(condition.type(), status -> status.equals(word(condition.status())) ? 1 : 0)));
    }

    /** @param value of each status */
    static Stream<Line> byStatus(String condition, ToDoubleFunction<String> value) {
        return STATUSES.stream()
                .map(status -> new Line(value.applyAsDouble(status), "condition", condition, "status", status));
    }

    /** As it is told. */
    static String word(String status) {
        return status.toLowerCase(Locale.ROOT);
    }

    /**
     * A figure about an object.
     *
     * @param labels names and values in turn, beside those that tell whose it is
     */
    record Line(double value, String... labels) {}

    void lines(Page page, String suffix, String help, Function<T, Stream<Line>> told) {
        String name = prefix + "_" + suffix;
        page.family(name, "gauge", help);
        for (var object : objects) {
            told.apply(object).forEach(line(page, name, object));
        }
    }

    private Consumer<Line> line(Page page, String name, T object) {
        var whose = Stream.of(
                "namespace",
                object.getMetadata().getNamespace(),
                "name",
                object.getMetadata().getName());
        String[] own = whose.toArray(String[]::new);
        return line -> page.line(
                name,
                line.value(),
                Stream.concat(Stream.of(own), Stream.of(line.labels())).toArray(String[]::new));
    }

    static <E> List<E> list(@Nullable List<E> list) {
        return list == null ? List.of() : list;
    }
}
