package dev.stowage.cli.tour;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Tells each step while it runs and remembers it for the table at the end. */
final class Story {

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration QUIET = Duration.ofMillis(300);
    private static final String SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

    private final PrintStream out;
    private final boolean terminal;
    private final List<Told> told = new ArrayList<>();
    private final Object turn = new Object();

    private record Told(String title, Duration took, String outcome) {}

    Story(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void say(String line) {
        out.println(line);
    }

    /** Runs a step; what it returns is its outcome in a few words. */
    void step(String title, Callable<String> step) throws Exception {
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
        } catch (Exception failure) {
            stop(moving);
            out.println(terminal ? "  ✗ " + title : "failed");
            throw failure;
        }
        stop(moving);
        var took = Duration.ofNanos(System.nanoTime() - start);
        told.add(new Told(title, took, outcome));
        out.println(
                terminal
                        ? "  ✓ " + pad(title) + time(took) + "  " + outcome
                        : time(took).strip() + "  " + outcome);
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

    void table() {
        out.println();
        out.println("  what                                            time      result");
        out.println(
                "  ──────────────────────────────────────────────  ────────  ─────────────────────────────────────");
        told.forEach(step -> out.println("  " + pad(step.title()) + time(step.took()) + "  " + step.outcome()));
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
