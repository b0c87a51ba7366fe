package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Managers that die with one of their writes, each followed by another that goes on.
 *
 * <p>What the writes are is not known here, so they are counted: {@code -Dstowage.kills=all} goes through every one, a number through so
 * many of each kind of change, chosen by {@code -Dstowage.seed}.
 */
public final class Kills {

    /** More than any change in these tests needs. */
    private static final int MOST_WRITES = 120;

    /** Each manager has a log of its own, which tells what this one did. */
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ManagedPlane plane;
    private final String[] options;
    private final long seed = Long.getLong("stowage.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** @param options of every manager */
    public Kills(ManagedPlane plane, String... options) {
        this.plane = plane;
        this.options = options;
    }

    /**
     * A change in the middle of which managers are killed.
     *
     * @param sureWrites how many writes it takes at least; a sample is of these
     * @param beginning what there is before, with a manager that lives
     * @param outcome what has to be so in the end
     */
    public <S> void everywhere(int sureWrites, Supplier<S> beginning, Consumer<S> change, Consumer<S> outcome) {
        String wish = System.getProperty("stowage.kills", "2");
        boolean all = wish.equals("all");
        int kills = all ? MOST_WRITES : Integer.parseInt(wish);
        int killed = 0;
        for (int kill = 1; kill <= kills; kill++) {
            int write = all ? kill : 1 + random.nextInt(sureWrites);
            if (!once(write, beginning, change, outcome)) {
                break;
            }
            killed++;
        }
        assertThat(killed).as("managers killed").isPositive();
        System.out.printf("%d managers were killed in the middle of it%n", killed);
    }

    /** @return whether the manager had so many writes to do */
    private <S> boolean once(int write, Supplier<S> beginning, Consumer<S> change, Consumer<S> outcome) {
        String name = "killed-" + NUMBER.incrementAndGet();
        plane.forgetTheLeader();
        var kubeconfig = RunningManager.kubeconfig(plane.workspace(), plane.plane(), name, options);
        try (var deadly = DeadlyWrites.before(kubeconfig);
                var victim = new RunningManager(plane.workspace(), kubeconfig, name, options)) {
            Eventually.assertThat(() -> assertThat(victim.leads()).isTrue());
            var state = beginning.get();
            deadly.arm(write, victim::kill);
            change.accept(state);
            // What is done to see the outcome may need the manager.
            if (!diesWithinItsWork(victim, deadly) && deadly.spare()) {
                outcome.accept(state);
                return false;
            }
            plane.forgetTheLeader();
            try (var next = new RunningManager(plane.workspace(), plane.plane(), name + "-next", options)) {
                try {
                    outcome.accept(state);
                } catch (AssertionError failed) {
                    throw new AssertionError(
                            "after the death with write %d, seed %d: %s".formatted(write, seed, next.log()), failed);
                }
            }
            return true;
        }
    }

    /** One that has fewer writes to do than it may live for is done some time after the last. */
    private static boolean diesWithinItsWork(RunningManager victim, DeadlyWrites deadly) {
        try {
            Eventually.assertThat(
                    Duration.ofSeconds(20), () -> assertThat(deadly.struck()).isTrue());
            return true;
        } catch (AssertionError stillThere) {
            return !victim.running();
        }
    }
}
