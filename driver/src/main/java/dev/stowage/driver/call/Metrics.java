package dev.stowage.driver.call;

import dev.stowage.core.backend.Gauge;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The figures of this process in Prometheus' text format.
 *
 * <p>Written out here because the client library alone would take a tenth of the memory that a node's driver may have.
 */
public final class Metrics {

    private record Outcome(String rpc, Status.Code code) implements Comparable<Outcome> {
        @Override
        public int compareTo(Outcome other) {
            int byRpc = rpc.compareTo(other.rpc);
            return byRpc != 0 ? byRpc : code.compareTo(other.code);
        }
    }

    private static final int PAGE_BYTES = 4096;
    private static final Path MEMORY = Path.of("/proc/self/statm");

    private final String build;
    private final Map<Outcome, LongAdder> outcomes = new ConcurrentSkipListMap<>();
    private final Map<String, Durations> durations = new ConcurrentSkipListMap<>();
    private final Map<String, AtomicLong> underWay = new ConcurrentSkipListMap<>();

    public Metrics(String driverName, String version) {
        this.build = "stowage_build_info{driver=\"%s\",version=\"%s\",java=\"%s\"} 1\n"
                .formatted(label(driverName), label(version), label(System.getProperty("java.version", "")));
    }

    void started(String rpc) {
        underWay.computeIfAbsent(rpc, name -> new AtomicLong()).incrementAndGet();
    }

    void finished(String rpc, Status.Code code, long nanos) {
        underWay.computeIfAbsent(rpc, name -> new AtomicLong()).decrementAndGet();
        outcomes.computeIfAbsent(new Outcome(rpc, code), key -> new LongAdder()).increment();
        durations.computeIfAbsent(rpc, name -> new Durations()).add(nanos);
    }

    public String text() {
        return text(List.of());
    }

    /** @param more figures of the backend, those of one name together */
    public String text(List<Gauge> more) {
        var text = new StringBuilder(4096);
        describe(text, "stowage_csi_calls_total", "counter", "CSI calls that ended, by RPC and gRPC code.");
        outcomes.forEach((outcome, count) -> text.append("stowage_csi_calls_total{rpc=\"")
                .append(outcome.rpc())
                .append("\",code=\"")
                .append(outcome.code())
                .append("\"} ")
                .append(count.sum())
                .append('\n'));
        describe(text, "stowage_csi_calls_in_flight", "gauge", "CSI calls that are under way.");
        underWay.forEach((rpc, count) -> text.append("stowage_csi_calls_in_flight{rpc=\"")
                .append(rpc)
                .append("\"} ")
                .append(count.get())
                .append('\n'));
        describe(text, "stowage_csi_call_duration_seconds", "histogram", "How long CSI calls took.");
        durations.forEach((rpc, histogram) -> histogram.append(text, "stowage_csi_call_duration_seconds", rpc));
        append(text, more);
        describe(text, "process_resident_memory_bytes", "gauge", "Memory of this process that is resident.");
        text.append("process_resident_memory_bytes ").append(residentBytes()).append('\n');
        describe(text, "stowage_build_info", "gauge", "What runs here.");
        return text.append(build).toString();
    }

    private static void append(StringBuilder text, List<Gauge> gauges) {
        String before = "";
        for (Gauge gauge : gauges) {
            if (!gauge.name().equals(before)) {
                describe(text, gauge.name(), "gauge", gauge.meaning());
                before = gauge.name();
            }
            var labels = new StringJoiner(",", "{", "} ").setEmptyValue(" ");
            new TreeMap<>(gauge.labels()).forEach((key, value) -> labels.add(key + "=\"" + label(value) + "\""));
            text.append(gauge.name()).append(labels).append(gauge.value()).append('\n');
        }
    }

    private static void describe(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static String label(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static long residentBytes() {
        try {
            return Long.parseLong(Files.readString(MEMORY).split(" ", 3)[1]) * PAGE_BYTES;
        } catch (IOException unreadable) {
            return 0;
        }
    }
}
