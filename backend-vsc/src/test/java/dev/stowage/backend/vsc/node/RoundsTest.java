package dev.stowage.backend.vsc.node;

import static dev.stowage.backend.vsc.node.NodeUnderTest.BLOCK;
import static dev.stowage.backend.vsc.node.NodeUnderTest.XFS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.linux.effect.Effects;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Volumes come and go, while drivers die between any two effects, and daemons and the initiator's server die at any time. */
class RoundsTest {

    private static final int MOST_EFFECTS = 40;

    private final long seed = Long.getLong("stowage.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    /** Not an exception: nobody who dies undoes anything. */
    private static final class Death extends Error {}

    /** Lets the driver, which is this thread, do so many effects and not one more. */
    private static final class Reaper implements Effects.Observer {
        private final Thread driver = Thread.currentThread();
        private int left;

        Reaper(int left) {
            this.left = left;
        }

        @Override
        public void before(String kind, String detail) {
            if (Thread.currentThread() == driver && left-- <= 0) {
                throw new Death();
            }
        }

        @Override
        public void after(String kind, String detail) {
            // dying before the next effect is dying after this one
        }
    }

    @Test
    void whateverDiesNothingIsLeftOver() throws IOException {
        int rounds = Integer.getInteger("stowage.rounds", 20);
        try (var node = new NodeUnderTest()) {
            var mounted = node.array.volume("mounted");
            var raw = node.array.volume("raw");
            Map<String, String> mountedContext = node.attach(mounted);
            Map<String, String> rawContext = node.attach(raw);
            for (int round = 0; round < rounds; round++) {
                boolean block = random.nextInt(3) == 0;
                var volume = block ? raw : mounted;
                round(node, volume, block ? BLOCK : XFS, block ? rawContext : mountedContext);
                var described = "seed " + seed + ", round " + round;
                assertThat(node.mounts()).as(described).isEmpty();
                assertThat(node.loops()).as(described).isEmpty();
                assertThat(node.daemons()).as(described).isEmpty();
                assertThat(node.remembered()).as(described).isEmpty();
            }
            assertThat(node.array.connected()).as("seed " + seed).isFalse();
        }
    }

    private void round(NodeUnderTest node, VolumeId volume, VolumeUse use, Map<String, String> context)
            throws IOException {
        mayDie(node, () -> node.stage(volume, use, context));
        if (random.nextInt(3) == 0) {
            node.killDaemons();
        }
        if (random.nextInt(4) == 0) {
            node.restartServer();
        }
        if (random.nextBoolean()) {
            try {
                node.stage(volume, use, context);
            } catch (StowageException.NotPossible deadMount) {
                // What is mounted has lost its daemon: it has to be unstaged first.
                assertThat(deadMount).hasMessageContaining("mounted");
            }
        }
        mayDie(node, () -> node.unstage(volume));
        node.unstage(volume);
    }

    private void mayDie(NodeUnderTest node, Runnable call) {
        Effects.observe(new Reaper(random.nextInt(MOST_EFFECTS)));
        try {
            call.run();
        } catch (Death dead) {
            Effects.observe(null);
            node.die();
        } catch (StowageException failed) {
            // The caller comes again, or gives up.
            assertThat(failed).isNotInstanceOf(StowageException.Internal.class);
        } finally {
            Effects.observe(null);
        }
    }
}
