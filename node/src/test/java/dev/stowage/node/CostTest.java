package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.filesystem.FilesystemType;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a pod's start and end cost on this node, once its volume has its filesystem. */
class CostTest {

    private static final int ROUNDS = 40;
    private static final String[] STEPS = {"stage", "publish", "unpublish", "unstage"};

    private final TestNode node = new TestNode();

    @AfterEach
    void takeAway() {
        Effects.observe(null);
        node.close();
    }

    private static final class Seen implements Effects.Observer {
        final List<String> kinds = new ArrayList<>();

        @Override
        public void before(String kind, String detail) {}

        @Override
        public void after(String kind, String detail) {
            kinds.add(kind);
        }
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void aFormattedVolumeNeedsNoProgramAndThreeDurableRecords(FilesystemType type) {
        var volume = node.volume("v1", type);
        var use = TestNode.filesystem(type);
        node.stage(volume, use);
        node.unstage(volume);
        var seen = new Seen();
        Effects.observe(seen);
        node.stage(volume, use);
        node.publish(volume, "pod", use, false);
        node.unpublish(volume, "pod");
        node.unstage(volume);
        Effects.observe(null);
        System.out.println(type + ": " + seen.kinds);
        assertThat(seen.kinds).noneMatch(kind -> kind.contains("command"));
        assertThat(seen.kinds.stream().filter(kind -> kind.contains("record"))).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(FilesystemType.class)
    void eachStepIsMeasured(FilesystemType type) {
        var volume = node.volume("v1", type);
        var use = TestNode.filesystem(type);
        node.stage(volume, use);
        node.unstage(volume);
        var costs = measure(
                () -> node.stage(volume, use),
                () -> node.publish(volume, "pod", use, false),
                () -> node.unpublish(volume, "pod"),
                () -> node.unstage(volume));
        report(type.mountName(), costs);
        assertThat(costs).hasSameSizeAs(STEPS);
    }

    @Test
    void eachStepOfARawDeviceIsMeasured() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        var costs = measure(
                () -> node.stage(volume, TestNode.BLOCK),
                () -> node.publish(volume, "pod", TestNode.BLOCK, false),
                () -> node.unpublish(volume, "pod"),
                () -> node.unstage(volume));
        report("raw", costs);
        assertThat(costs).hasSameSizeAs(STEPS);
    }

    /** Microseconds on the clock, and those that this thread was running for. */
    @SuppressWarnings("ArrayRecordComponent") // filled in place
    private record Cost(long[] clock, long[] running) {
        static Cost unmeasured() {
            return new Cost(new long[ROUNDS], new long[ROUNDS]);
        }
    }

    private static List<Cost> measure(Runnable... steps) {
        var threads = ManagementFactory.getThreadMXBean();
        var costs = Arrays.stream(steps).map(step -> Cost.unmeasured()).toList();
        for (int round = 0; round < ROUNDS; round++) {
            for (int step = 0; step < steps.length; step++) {
                long running = threads.getCurrentThreadCpuTime();
                long clock = System.nanoTime();
                steps[step].run();
                costs.get(step).clock()[round] = (System.nanoTime() - clock) / 1000;
                costs.get(step).running()[round] = (threads.getCurrentThreadCpuTime() - running) / 1000;
            }
        }
        return costs;
    }

    private static void report(String what, List<Cost> costs) {
        for (int step = 0; step < STEPS.length; step++) {
            var cost = costs.get(step);
            Arrays.sort(cost.clock());
            Arrays.sort(cost.running());
            System.out.printf(
                    Locale.ROOT,
                    "%s %s: fastest %d µs, median %d µs, of which this thread ran %d µs%n",
                    what,
                    STEPS[step],
                    cost.clock()[0],
                    cost.clock()[ROUNDS / 2],
                    cost.running()[ROUNDS / 2]);
        }
    }
}
