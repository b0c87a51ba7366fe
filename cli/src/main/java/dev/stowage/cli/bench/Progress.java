package dev.stowage.cli.bench;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** Says what is running: one line that changes on a terminal, a line per step elsewhere. */
public final class Progress {

    private static final Duration OFTEN = Duration.ofMillis(200);

    private final PrintStream out;
    private final boolean terminal;
    private final long begin = System.nanoTime();
    private long last;

    public Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** A new step. */
    public synchronized void step(String what) {
        last = System.nanoTime();
        out.print(terminal ? "\r\033[K" + stamped(what) : stamped(what) + "\n");
        out.flush();
    }

    /** The same step has moved; shown on terminals only, and not too often. */
    public synchronized void moved(String what) {
        if (terminal && System.nanoTime() - last > OFTEN.toNanos()) {
            step(what);
        }
    }

    public synchronized void done() {
        if (terminal) {
            out.print("\r\033[K");
            out.flush();
        }
    }

    private String stamped(String what) {
        long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
        return String.format(Locale.ROOT, "[%2d:%02d] %s", seconds / 60, seconds % 60, what);
    }
}
