package dev.stowage.sidecar.csi;

import io.grpc.Status;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** How long calls to the driver took, in Prometheus' text format and under the names that dashboards of the stock sidecars use. */
public final class OperationMetrics {

    private static final String NAME = "csi_sidecar_operations_seconds";
    private static final double[] BOUNDS = {0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600};
    private static final String UNKNOWN_DRIVER = "unknown-driver";

    private final Map<Operation, Histogram> operations = new ConcurrentSkipListMap<>();
    private final Instant started = Instant.now();
    private volatile String driver = UNKNOWN_DRIVER;

    private record Operation(String method, Status.Code code) implements Comparable<Operation> {
        @Override
        public int compareTo(Operation other) {
            int byMethod = method.compareTo(other.method);
            return byMethod != 0 ? byMethod : code.compareTo(other.code);
        }

        /** The stock sidecars' spelling, such as {@code DeadlineExceeded}. */
        String codeInWords() {
            var words = new StringBuilder();
            for (String word : code.name().split("_")) {
                words.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
            }
            return code == Status.Code.OK ? "OK" : words.toString();
        }
    }

    private static final class Histogram {
        private final AtomicLongArray counts = new AtomicLongArray(BOUNDS.length + 1);
        private final LongAdder nanosTotal = new LongAdder();

        void add(long nanos) {
            double seconds = (double) nanos / TimeUnit.SECONDS.toNanos(1);
            int bucket = 0;
            while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]) {
                bucket++;
            }
            counts.incrementAndGet(bucket);
            nanosTotal.add(nanos);
        }
    }

    /** From now on figures are told under this driver's name. */
    public void driverIs(String name) {
        driver = name;
    }

    /**
     * Counts a call that ended.
     *
     * @param method with its service, such as {@code /csi.v1.Identity/Probe}
     */
    public void ended(String method, Status.Code code, long nanos) {
        operations
                .computeIfAbsent(new Operation(method, code), key -> new Histogram())
                .add(nanos);
    }

    public String text() {
        var text = new StringBuilder(2048);
        text.append("# HELP ")
                .append(NAME)
                .append(" How long calls to the CSI driver took, by method and gRPC code.\n");
        text.append("# TYPE ").append(NAME).append(" histogram\n");
        operations.forEach((operation, histogram) -> append(text, operation, histogram));
        text.append("# HELP process_start_time_seconds When this process started, in seconds since 1970.\n");
        text.append("# TYPE process_start_time_seconds gauge\n");
        text.append("process_start_time_seconds ")
                .append(started.getEpochSecond())
                .append('\n');
        return text.toString();
    }

    private void append(StringBuilder text, Operation operation, Histogram histogram) {
        String labels = "driver_name=\"%s\",grpc_status_code=\"%s\",method_name=\"%s\""
                .formatted(driver, operation.codeInWords(), operation.method());
        long upTo = 0;
        for (int bucket = 0; bucket <= BOUNDS.length; bucket++) {
            upTo += histogram.counts.get(bucket);
            String bound = bucket < BOUNDS.length ? Double.toString(BOUNDS[bucket]) : "+Inf";
            text.append("%s_bucket{%s,le=\"%s\"} %d\n".formatted(NAME, labels, bound, upTo));
        }
        double seconds = (double) histogram.nanosTotal.sum() / TimeUnit.SECONDS.toNanos(1);
        text.append("%s_sum{%s} %s\n".formatted(NAME, labels, seconds));
        text.append("%s_count{%s} %d\n".formatted(NAME, labels, upTo));
    }
}
