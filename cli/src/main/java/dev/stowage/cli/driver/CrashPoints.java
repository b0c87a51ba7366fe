package dev.stowage.cli.driver;

import dev.stowage.core.error.StowageException;
import dev.stowage.driver.call.CallListener;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.process.Self;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Dies or stands still on purpose between two side effects of a call, so that a test can see what a crash or a stall there leaves.
 *
 * <p>Every side effect passes one place in the layer below, which makes the list of points complete by construction. Off unless the
 * environment asks for it:
 *
 * <ul>
 *   <li>{@code STOWAGE_CRASH_AT=NodeStageVolume:3} kills the process after the third effect of that call (0: before the first); the
 *       call {@code start} is everything before the first call;
 *   <li>{@code STOWAGE_CRASH_PLAN=FILE} reads such a point from the file whenever a call starts, as long as the file is there, so that
 *       a driver which is already running can be told where to die;
 *   <li>{@code STOWAGE_STALL_AT=NodeStageVolume:3} lets three seconds pass there instead;
 *   <li>{@code STOWAGE_EFFECTS_LOG=FILE} writes down every effect with the call it belongs to.
 * </ul>
 */
final class CrashPoints implements Effects.Observer, CallListener {

    private static final String CRASH_AT = "STOWAGE_CRASH_AT";
    private static final String CRASH_PLAN = "STOWAGE_CRASH_PLAN";
    private static final String STALL_AT = "STOWAGE_STALL_AT";
    private static final String EFFECTS_LOG = "STOWAGE_EFFECTS_LOG";
    private static final String STARTING = "start";
    private static final Duration STALL = Duration.ofSeconds(3);

    private final @Nullable Path plan;
    private final @Nullable Point stall;
    private final @Nullable Path log;
    private @Nullable Point crash;
    private String call = STARTING;
    private @Nullable Thread server;
    private int effects;

    private record Point(String call, int after) {

        private static final Pattern FORM = Pattern.compile("([A-Za-z]+):([0-9]{1,9})");

        static @Nullable Point parse(@Nullable String text) {
            if (text == null) {
                return null;
            }
            var match = FORM.matcher(text);
            if (!match.matches()) {
                throw StowageException.invalid(
                        "crash point '%s': expected a call and a number of effects, such as NodeStageVolume:3", text);
            }
            return new Point(match.group(1), Integer.parseInt(match.group(2)));
        }
    }

    private CrashPoints(@Nullable Point crash, @Nullable Point stall, @Nullable Path plan, @Nullable Path log) {
        this.crash = crash;
        this.stall = stall;
        this.plan = plan;
        this.log = log;
    }

    /** What the environment asks for, observing from now on. */
    static Optional<CrashPoints> fromEnvironment(Map<String, String> environment) {
        var crash = Point.parse(environment.get(CRASH_AT));
        var stall = Point.parse(environment.get(STALL_AT));
        String plan = environment.get(CRASH_PLAN);
        String file = environment.get(EFFECTS_LOG);
        if (crash == null && stall == null && plan == null && file == null) {
            return Optional.empty();
        }
        var points =
                new CrashPoints(crash, stall, plan == null ? null : Path.of(plan), file == null ? null : Path.of(file));
        Effects.observe(points);
        points.dieIfHere();
        return Optional.of(points);
    }

    @Override
    public void started(String rpc) {
        begin(rpc);
        stallIfHere();
    }

    private synchronized void begin(String rpc) {
        call = rpc;
        server = Thread.currentThread();
        effects = 0;
        readPlan();
        dieIfHere();
    }

    private void readPlan() {
        if (plan == null) {
            return;
        }
        try {
            crash = Point.parse(Files.readString(plan).strip());
        } catch (NoSuchFileException nothingPlanned) {
            crash = null;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public synchronized void finished(String rpc) {
        // The caller has its answer already, and may have begun its next call on another thread.
        if (Thread.currentThread().equals(server)) {
            call = "";
        }
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
