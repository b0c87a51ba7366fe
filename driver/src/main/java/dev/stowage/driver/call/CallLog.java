package dev.stowage.driver.call;

import dev.stowage.core.error.StowageException;
import dev.stowage.driver.log.LogFields;
import io.grpc.Status;
import java.util.LinkedHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The log line of a call: debug when it only read, info when it changed something, warn when it failed. */
final class CallLog {

    private static final Logger LOG = LoggerFactory.getLogger(CallLog.class);
    private static final Pattern READS =
            Pattern.compile("Probe|Validate.*|(Controller|GroupController|Node)?(Get|List).*|NotifyRegistrationStatus");

    private CallLog() {}

    static void request(Object message) {
        if (LOG.isDebugEnabled()) {
            LOG.debug("request {}", RequestText.of(message));
        }
    }

    static void ended(String rpc, Status status, long nanos) {
        var level = level(rpc, status);
        if (!LOG.isEnabledForLevel(level)) {
            return;
        }
        var details = new LinkedHashMap<String, String>();
        details.put("code", status.getCode().name());
        details.put("ms", milliseconds(nanos));
        var reason = status.getDescription();
        if (reason != null) {
            details.put("error", reason);
        }
        LogFields.with(
                details, () -> LOG.atLevel(level).setCause(worthATrace(status)).log(status.isOk() ? "done" : "failed"));
    }

    private static Level level(String rpc, Status status) {
        return switch (status.getCode()) {
            case OK -> READS.matcher(rpc).matches() ? Level.DEBUG : Level.INFO;
            case CANCELLED -> Level.INFO;
            default -> Level.WARN;
        };
    }

    /** A known failure says all in its message, unless something deeper caused it. */
    private static @Nullable Throwable worthATrace(Status status) {
        var failure = status.getCause();
        return failure instanceof StowageException && failure.getCause() == null ? null : failure;
    }

    private static String milliseconds(long nanos) {
        long tenths = TimeUnit.NANOSECONDS.toMicros(nanos) / 100;
        return tenths / 10 + "." + tenths % 10;
    }
}
