package dev.stowage.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Several callers lead whole lives of volumes while the driver is killed at moments that nobody chose. */
class RandomKillsTest {

    private static final int CALLERS = 4;
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("stowage.crash.seconds", 60));
    private static final int SHORTEST_LIFE = 50;
    private static final int LONGEST_LIFE = 2500;

    @Test
    void nothingIsLostAndNothingIsLeftHoweverOftenTheDriverDies() throws Exception {
        long seed = Long.getLong("stowage.crash.seed", System.nanoTime());
        System.out.println("random kills: seed " + seed + " (repeat with -Dstowage.crash.seed=" + seed + ")");
        var chance = new SplittableRandom(seed);
        int kills = 0;
        int lives = 0;
        try (var world = new World(true);
                var callers = Executors.newFixedThreadPool(CALLERS)) {
            world.start();
            long capacity = world.capacity();
            var connection = new Connection(world.csi());
            long end = System.nanoTime() + LENGTH.toNanos();
            var running = new ArrayList<Future<Integer>>();
            for (int caller = 0; caller < CALLERS; caller++) {
                running.add(callers.submit(lives("caller-" + caller, world, connection, chance.split(), end)));
            }
            while (System.nanoTime() < end && running.stream().noneMatch(Future::isDone)) {
                Thread.sleep(chance.nextInt(SHORTEST_LIFE, LONGEST_LIFE));
                world.running().kill();
                world.start();
                connection.renew(world.csi());
                kills++;
            }
            for (var one : running) {
                lives += result(one);
            }
            NothingLeft.in(world, capacity);
            world.takeLog();
            world.stop();
            world.start();
            NothingLeft.afterStart(world);
            NothingLeft.in(world, capacity);
            assertThat(NothingLeft.records(world, "node.records")).isEmpty();
        }
        assertThat(kills).isPositive();
        assertThat(lives).isPositive();
        System.out.printf("random kills: %d whole lives of volumes, %d kills%n", lives, kills);
    }

    private static Callable<Integer> lives(
            String name, World world, Connection connection, SplittableRandom chance, long end) {
        return () -> {
            int lives = 0;
            while (System.nanoTime() < end) {
                new Life(name + "-" + lives, world.workspace(), connection, chance).lead();
                lives++;
            }
            return lives;
        };
    }

    private static int result(Future<Integer> lives) throws Exception {
        try {
            return lives.get();
        } catch (ExecutionException failure) {
            throw new AssertionError("a life went wrong: " + failure.getCause(), failure.getCause());
        }
    }
}
