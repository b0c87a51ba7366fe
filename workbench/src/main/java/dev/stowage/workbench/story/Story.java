package dev.stowage.workbench.story;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Tells each step while it runs: a line that moves on a terminal, a plain line elsewhere. */
public final class Story {
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration QUIET = Duration.ofMillis(300);
    private static final String SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

    private final PrintStream out;
    private final boolean terminal;
    private final Object turn = new Object();

    public Story(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** To stderr, because what a command answers goes to stdout. */
    public static Story onStderr() {
        return on(System.err);
    }

    public static Story on(PrintStream out) {
        return new Story(out, System.console() != null && System.console().isTerminal());
    }

    public void say(String line) {
        out.println(line);
    }

    /** Runs a step; what it returns is its outcome in a few words. */
    public void step(String title, Callable<String> step) {
        long start = System.nanoTime();
        var moving = Thread.ofPlatform().daemon().name("progress").unstarted(() -> showMoving(title, start));
        if (terminal) {
            moving.start();
        } else {
            out.print("  " + title + " … ");
            out.flush();
        }
        String outcome;
        try {
            outcome = step.call();
        } catch (RuntimeException failure) {
            fail(title, moving);
            throw failure;
        } catch (Exception failure) {
            fail(title, moving);
            throw new IllegalStateException(title + ": " + failure.getMessage(), failure);
        }
        stop(moving);
        var took = time(Duration.ofNanos(System.nanoTime() - start));
        out.println(terminal ? "  ✓ " + pad(title) + took + "  " + outcome : took.strip() + "  " + outcome);
    }

    private void fail(String title, Thread moving) {
        stop(moving);
        out.println(terminal ? "  ✗ " + title : "failed");
    }

    private void showMoving(String title, long start) {
        try {
            Thread.sleep(QUIET);
            for (int i = 0; ; i++) {
                synchronized (turn) {
                    if (Thread.interrupted()) {
                        return;
                    }
                    out.printf(
                            "\r  %c %s%4.1f s ",
                            SPINNER.charAt(i % SPINNER.length()), pad(title), (System.nanoTime() - start) / 1e9);
                    out.flush();
                }
                Thread.sleep(TICK);
            }
        } catch (InterruptedException finished) {
            // The step is over; its own line follows.
        }
    }

    private void stop(Thread moving) {
        if (!terminal) {
            return;
        }
        synchronized (turn) {
            moving.interrupt();
            out.print("\r\033[K");
        }
    }

    private static String pad(String title) {
        return String.format(Locale.ROOT, "%-46s  ", title);
    }

    private static String time(Duration took) {
        double milliseconds = took.toNanos() / 1e6;
        return milliseconds < 1000
                ? String.format(Locale.ROOT, "%5.0f ms", milliseconds)
                : String.format(Locale.ROOT, "%5.1f s ", milliseconds / 1000);
    }
}
