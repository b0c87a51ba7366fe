package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.filesystem.FilesystemType;
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

    private static final int ROUNDS = 200;
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
        var micros = measure(
                () -> node.stage(volume, use),
                () -> node.publish(volume, "pod", use, false),
                () -> node.unpublish(volume, "pod"),
                () -> node.unstage(volume));
        report(type.mountName(), micros);
        assertThat(micros).isNotEmpty();
    }

    @Test
    void eachStepOfARawDeviceIsMeasured() {
        var volume = node.volume("v1", FilesystemType.EXT4);
        var micros = measure(
                () -> node.stage(volume, TestNode.BLOCK),
                () -> node.publish(volume, "pod", TestNode.BLOCK, false),
                () -> node.unpublish(volume, "pod"),
                () -> node.unstage(volume));
        report("raw", micros);
        assertThat(micros).isNotEmpty();
    }

    private static long[][] measure(Runnable... steps) {
        var micros = new long[steps.length][ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            for (int step = 0; step < steps.length; step++) {
                long begin = System.nanoTime();
                steps[step].run();
                micros[step][round] = (System.nanoTime() - begin) / 1000;
            }
        }
        return micros;
    }

    private static void report(String what, long[][] micros) {
        for (int step = 0; step < micros.length; step++) {
            Arrays.sort(micros[step]);
            System.out.printf(
                    Locale.ROOT,
                    "%s %s: median %d µs, p95 %d µs%n",
                    what,
                    STEPS[step],
                    micros[step][ROUNDS / 2],
                    micros[step][ROUNDS * 95 / 100]);
        }
    }
}
