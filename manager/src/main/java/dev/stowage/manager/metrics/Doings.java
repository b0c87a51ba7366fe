package dev.stowage.manager.metrics;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** What this process did about deployments, since it started. A new counter is a method here, and a line in {@link #write}. */
public final class Doings {

    private static final String RESTORED = "stowage_manager_restored_total";
    private static final String REFUSED = "stowage_manager_refused_total";
    private static final String ROLLED_BACK = "stowage_manager_rolled_back_total";

    private final Map<Whose, LongAdder> restored = new ConcurrentSkipListMap<>();
    private final Map<Whose, LongAdder> refused = new ConcurrentSkipListMap<>();
    private final Map<Whose, LongAdder> rolledBack = new ConcurrentSkipListMap<>();

    /**
     * What something is counted for.
     *
     * @param deployment as NAMESPACE/NAME
     * @param what empty where only one thing is counted
     */
    private record Whose(String deployment, String what) implements Comparable<Whose> {
        private static final Comparator<Whose> ORDER =
                Comparator.comparing(Whose::deployment).thenComparing(Whose::what);

        @Override
        public int compareTo(Whose other) {
            return ORDER.compare(this, other);
        }

        String namespace() {
            return deployment.substring(0, deployment.indexOf('/'));
        }

        String name() {
            return deployment.substring(deployment.indexOf('/') + 1);
        }
    }

    /** An object of a deployment was changed or deleted by somebody else, and is as it was. */
    public void restored(String deployment, String kind) {
        count(restored, new Whose(deployment, kind));
    }

    /** A deployment asked for something that makes no sense. */
    public void refused(String deployment) {
        count(refused, new Whose(deployment, ""));
    }

    /** A template for nodes did not work, and the last good one came back. */
    public void rolledBack(String deployment) {
        count(rolledBack, new Whose(deployment, ""));
    }

    private static void count(Map<Whose, LongAdder> counters, Whose key) {
        counters.computeIfAbsent(key, absent -> new LongAdder()).increment();
    }

    /** @param present the deployments that there are; what was counted for others is forgotten */
    void write(Page page, Set<String> present) {
        for (var counters : List.of(restored, refused, rolledBack)) {
            counters.keySet().removeIf(whose -> !present.contains(whose.deployment()));
        }
        page.family(RESTORED, "counter", "Objects that somebody changed or deleted and that were restored.");
        restored.forEach((whose, count) -> page.line(
                RESTORED, count.sum(), "namespace", whose.namespace(), "name", whose.name(), "kind", whose.what()));
        page.family(REFUSED, "counter", "How often a deployment was refused because it makes no sense.");
        write(page, REFUSED, refused);
        page.family(
                ROLLED_BACK, "counter", "How often a template for nodes did not work and the last good one came back.");
        write(page, ROLLED_BACK, rolledBack);
    }

    private static void write(Page page, String name, Map<Whose, LongAdder> counters) {
        counters.forEach(
                (whose, count) -> page.line(name, count.sum(), "namespace", whose.namespace(), "name", whose.name()));
    }
}
