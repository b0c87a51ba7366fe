package dev.stowage.cli.driver;

import dev.stowage.driver.call.CallListener;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.process.Self;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Dies or stands still on purpose between two side effects of a call, so that a test can see what a crash or a stall there leaves.
 *
 * <p>Every side effect passes one place in the layer below, which makes the list of points complete by construction. Off unless the
 * environment asks for it: {@code STOWAGE_CRASH_AT=NodeStageVolume:3} kills the process after the third effect of that call (0: before
 * the first), {@code STOWAGE_STALL_AT=NodeStageVolume:3} lets three seconds pass there instead, and {@code STOWAGE_EFFECTS_LOG=FILE}
 * writes down every effect with the call it belongs to.
 */
final class CrashPoints implements Effects.Observer, CallListener {

    private static final String CRASH_AT = "STOWAGE_CRASH_AT";
    private static final String STALL_AT = "STOWAGE_STALL_AT";
    private static final String EFFECTS_LOG = "STOWAGE_EFFECTS_LOG";
    private static final String STARTING = "start";
    private static final Duration STALL = Duration.ofSeconds(3);

    private final @Nullable Point crash;
    private final @Nullable Point stall;
    private final @Nullable Path log;
    private volatile String call = STARTING;
    private int effects;

    private record Point(String call, int after) {

        static @Nullable Point parse(@Nullable String text) {
            if (text == null) {
                return null;
            }
            int colon = text.lastIndexOf(':');
            return new Point(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
        }
    }

    private CrashPoints(@Nullable Point crash, @Nullable Point stall, @Nullable Path log) {
        this.crash = crash;
        this.stall = stall;
        this.log = log;
    }

    /** What the environment asks for, observing from now on. */
    static Optional<CrashPoints> fromEnvironment(Map<String, String> environment) {
        var crash = Point.parse(environment.get(CRASH_AT));
        var stall = Point.parse(environment.get(STALL_AT));
        String file = environment.get(EFFECTS_LOG);
        if (crash == null && stall == null && file == null) {
            return Optional.empty();
        }
        var points = new CrashPoints(crash, stall, file == null ? null : Path.of(file));
        Effects.observe(points);
        points.dieIfHere();
        return Optional.of(points);
    }

    @Override
    public void started(String rpc) {
        synchronized (this) {
            call = rpc;
            effects = 0;
            dieIfHere();
        }
        stallIfHere();
    }

    @Override
    public synchronized void finished(String rpc) {
        call = "";
    }

    @Override
    public void before(String kind, String detail) {
        // A point lies after an effect; the one before the first is where the call starts.
    }

    @Override
    public void after(String kind, String detail) {
        count(kind, detail);
        stallIfHere();
    }

    private synchronized void count(String kind, String detail) {
        if (log != null) {
            try {
                Files.writeString(
                        log,
                        call + " " + kind + " " + detail + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
        effects++;
        dieIfHere();
    }

    private void dieIfHere() {
        if (here(crash)) {
            Self.kill9();
        }
    }

    /** Not under the lock: what thaws or answers meanwhile has effects of its own. */
    private void stallIfHere() {
        if (!here(stall)) {
            return;
        }
        try {
            Thread.sleep(STALL);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean here(@Nullable Point point) {
        return point != null && point.call().equals(call) && point.after() == effects;
    }
}
