package dev.stowage.array.misbehave;

import dev.stowage.array.misbehave.Rule.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The rules by which an array goes wrong. They can be changed while it runs. */
public final class Misbehaviour {

    private static final int PERCENT = 100;
    private static final long NANOS_IN_A_SECOND = Duration.ofSeconds(1).toNanos();

    private final Timing timing;
    private volatile String text;
    private volatile List<Rule> rules;
    private long nextCall;

    private Misbehaviour(String text, Timing timing) {
        this.timing = timing;
        this.text = text;
        this.rules = parse(text);
        this.nextCall = timing.nanos();
    }

    /** How time passes. */
    public interface Timing {

        /** Time as the clock has it. */
        Timing REAL = new Timing() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void pause(Duration duration) throws InterruptedException {
                Thread.sleep(duration);
            }
        };

        long nanos();

        void pause(Duration duration) throws InterruptedException;
    }

    /** An array that does what it is told. */
    public static Misbehaviour none() {
        return of("");
    }

    /** Reads rules, which are apart by line ends or semicolons. */
    public static Misbehaviour of(String text) {
        return of(text, Timing.REAL);
    }

    public static Misbehaviour of(String text, Timing timing) {
        return new Misbehaviour(text, timing);
    }

    private static List<Rule> parse(String text) {
        return text.lines()
                .flatMap(line -> List.of(line.split(";")).stream())
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .map(Rule::parse)
                .toList();
    }

    public void replace(String changed) {
        rules = parse(changed);
        text = changed;
    }

    public String text() {
        return text;
    }

    /** What is to go wrong with a call, and with this one alone. */
    public List<Rule> about(String method, String path) {
        return rules.stream()
                .filter(rule -> rule.isAbout(method, path))
                .filter(rule -> ThreadLocalRandom.current().nextInt(PERCENT) < rule.percent())
                .filter(rule -> rule.left().getAndUpdate(left -> Math.max(0, left - 1)) > 0)
                .toList();
    }

    /** Whether the pool is to seem full. */
    public boolean full() {
        return rules.stream().anyMatch(rule -> rule.kind() == Kind.FULL);
    }

    /** Waits until it is a call's turn if there may only be so many a second. */
    public void awaitTurn(long callsPerSecond) {
        pause(turn(callsPerSecond));
    }

    public void pause(Duration duration) {
        try {
            timing.pause(duration);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Duration turn(long callsPerSecond) {
        long now = timing.nanos();
        nextCall = Math.max(nextCall, now) + NANOS_IN_A_SECOND / callsPerSecond;
        return Duration.ofNanos(nextCall - now);
    }
}
