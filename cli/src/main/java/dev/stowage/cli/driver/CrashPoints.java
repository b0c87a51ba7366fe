package dev.stowage.cli.driver;

import dev.stowage.driver.call.CallListener;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.process.Self;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Dies on purpose between two side effects of a call, so that a test can see what a crash there leaves.
 *
 * <p>Every side effect passes one place in the layer below, which makes the list of points complete by construction. Off unless the
 * environment asks for it: {@code STOWAGE_CRASH_AT=NodeStageVolume:3} kills the process after the third effect of that call (0: before
 * the first), and {@code STOWAGE_EFFECTS_LOG=FILE} writes down every effect with the call it belongs to.
 */
final class CrashPoints implements Effects.Observer, CallListener {

    private static final String CRASH_AT = "STOWAGE_CRASH_AT";
    private static final String EFFECTS_LOG = "STOWAGE_EFFECTS_LOG";
    private static final String STARTING = "start";

    private final @Nullable Point point;
    private final @Nullable Path log;
    private volatile String call = STARTING;
    private int effects;

    private record Point(String call, int after) {}

    private CrashPoints(@Nullable Point point, @Nullable Path log) {
        this.point = point;
        this.log = log;
    }

    /** What the environment asks for, observing from now on. */
    static Optional<CrashPoints> fromEnvironment(Map<String, String> environment) {
        String at = environment.get(CRASH_AT);
        String file = environment.get(EFFECTS_LOG);
        if (at == null && file == null) {
            return Optional.empty();
        }
        Point point = null;
        if (at != null) {
            int colon = at.lastIndexOf(':');
            point = new Point(at.substring(0, colon), Integer.parseInt(at.substring(colon + 1)));
        }
        var points = new CrashPoints(point, file == null ? null : Path.of(file));
        Effects.observe(points);
        points.dieIfHere();
        return Optional.of(points);
    }

    @Override
    public synchronized void started(String rpc) {
        call = rpc;
        effects = 0;
        dieIfHere();
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
    public synchronized void after(String kind, String detail) {
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
        if (point != null && point.call().equals(call) && point.after() == effects) {
            Self.kill9();
        }
    }
}
