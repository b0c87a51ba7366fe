package dev.stowage.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Kills the driver at every point of one scenario.
 *
 * <p>At each point twice: once the caller repeats the call, and everything must be as if nothing had happened; once it gives up, and
 * nothing may be left. Then once more at the point that leaves the most to recover, with further kills during the recovery.
 */
final class Kills {

    private static final int KILLED = 128 + 9;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String STARTING = "start";

    private final Scenario scenario;
    private final World world;
    private long capacity;
    private String expected = "";
    private List<String> ordinaryStart = List.of();
    private int worstPoint;
    private Span toRecover = new Span(0, -1);

    private Kills(Scenario scenario, World world) {
        this.scenario = scenario;
        this.world = world;
    }

    /** Points of a start, from the first to the last. */
    private record Span(int first, int last) {

        int points() {
            return last - first + 1;
        }

        /** The points at which one start differs from an ordinary one. What every start does is tested elsewhere. */
        static Span ofDifference(List<String> ordinary, List<String> start) {
            int shorter = Math.min(ordinary.size(), start.size());
            int before = 0;
            while (before < shorter && ordinary.get(before).equals(start.get(before))) {
                before++;
            }
            int after = 0;
            while (after < shorter - before
                    && ordinary.get(ordinary.size() - 1 - after).equals(start.get(start.size() - 1 - after))) {
                after++;
            }
            return new Span(before, start.size() - after);
        }
    }

    /**
     * What was done.
     *
     * @param effects the kinds of effects that the call has, in their order
     * @param points how many kills during the call there were
     * @param recoveryPoints how many kills during the recovery there were
     */
    record Report(Scenario scenario, List<String> effects, int points, int recoveryPoints, Duration time) {}

    static Report of(Scenario scenario) {
        long start = System.nanoTime();
        try (var world = new World(scenario.sharesBlocks())) {
            var kills = new Kills(scenario, world);
            var effects = kills.withoutKill();
            for (int point = 0; point <= effects.size(); point++) {
                kills.at(point);
            }
            int recoveryPoints = kills.duringRecovery();
            world.stop();
            world.start();
            NothingLeft.afterStart(world);
            NothingLeft.in(world, kills.capacity);
            assertThat(NothingLeft.records(world, "node.records")).isEmpty();
            System.out.println(
                    "done: " + scenario + ", " + effects.size() + " effects, " + recoveryPoints + " in recovery");
            return new Report(
                    scenario,
                    effects,
                    2 * (effects.size() + 1),
                    recoveryPoints,
                    Duration.ofNanos(System.nanoTime() - start));
        }
    }

    private List<String> withoutKill() {
        // Once for what only a first start does.
        world.start();
        capacity = world.capacity();
        world.running().kill();
        world.takeEffects();
        world.start();
        ordinaryStart = startEffects();
        scenario.prepare().accept(world);
        world.takeEffects();
        var answer = scenario.call().apply(world);
        var effects = world.takeEffects().stream()
                .filter(line -> line.startsWith(scenario.rpc() + " "))
                .map(line -> line.split(" ")[1])
                .toList();
        expected = observe(answer);
        end();
        return effects;
    }

    private String observe(Message answer) {
        String now = Observation.of(world, answer);
        scenario.use().accept(world);
        return now + "\nafter use:\n" + Observation.of(world, answer);
    }

    private void at(int point) {
        try {
            killAt(point);
            world.start();
            var recovery = Span.ofDifference(ordinaryStart, startEffects());
            if (recovery.points() > toRecover.points()) {
                toRecover = recovery;
                worstPoint = point;
            }
            checkAfterStart();
            end();
        } catch (RuntimeException | AssertionError failure) {
            throw told("kill after effect " + point + ", call given up", failure);
        }
        try {
            killAt(point);
            world.start();
            checkAfterStart();
            repeat();
            end();
        } catch (RuntimeException | AssertionError failure) {
            throw told("kill after effect " + point + ", call repeated", failure);
        }
    }

    private List<String> startEffects() {
        return world.takeEffects().stream()
                .filter(line -> line.startsWith(STARTING + " "))
                .map(line -> line.split(" ")[1])
                .toList();
    }

    /** Recovery is killed at every point of its own, twice in a row. */
    private int duringRecovery() {
        for (int point = toRecover.first(); point <= toRecover.last(); point++) {
            try {
                killAt(worstPoint);
                startAndKillAt(point);
                startAndKillAt(point);
                world.start();
                checkAfterStart();
                repeat();
                end();
            } catch (RuntimeException | AssertionError failure) {
                throw told(
                        "kill after effect " + worstPoint + ", and after effect " + point + " of the recovery",
                        failure);
            }
        }
        return toRecover.points();
    }

    private void startAndKillAt(int point) {
        var process = world.options()
                .environment("STOWAGE_CRASH_AT", STARTING + ":" + point)
                .launch();
        // A second recovery may have less to do than the point is away; then it is killed when it serves.
        try (var client = CsiClient.connect(world.options().socket())) {
            client.awaitReady(PATIENCE, process::isAlive);
            process.destroyForcibly();
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            throw new IllegalStateException(interrupted);
        }
        assertThat(process.exitValue()).isEqualTo(KILLED);
    }

    private void killAt(int point) {
        scenario.prepare().accept(world);
        world.takeEffects();
        world.arm(scenario.rpc(), point);
        assertThatThrownBy(() -> scenario.call().apply(world))
                .as("the answer to a call during which the driver died")
                .isInstanceOf(StatusRuntimeException.class);
        world.running().await();
        assertThat(world.running().process().exitValue()).isEqualTo(KILLED);
        world.running().close();
        world.disarm();
        world.takeEffects();
    }

    /** What must hold before anybody asks for anything again. */
    private void checkAfterStart() {
        NothingLeft.afterStart(world);
        for (Claim claim : world.claims()) {
            Path target = claim.target(World.POD);
            if (world.workspace().mounts().contains(target) && Files.isDirectory(target)) {
                within("a write to " + target, () -> touch(target));
            }
        }
    }

    private void repeat() {
        var known = new TreeSet<>(world.names().keySet());
        var unexpected = new TreeSet<>(world.listedVolumes());
        world.listedSnapshots().forEach(snapshot -> unexpected.add(snapshot.getSnapshotId()));
        unexpected.removeAll(known);
        var answer = scenario.call().apply(world);
        assertThat(world.names().keySet())
                .as("what was listed before the repeated call is what it returns")
                .containsAll(unexpected);
        assertThat(observe(answer))
                .as("what can be seen after the repeated call")
                .isEqualTo(expected);
    }

    private static void touch(Path directory) {
        try {
            // A directory, because making one opens nothing that a program just being started could hold on to.
            Files.delete(Files.createTempDirectory(directory, "thawed"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A write to a frozen filesystem hangs for good, so it is waited for at arm's length. */
    private static void within(String what, Runnable step) {
        var done = new CompletableFuture<Void>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                step.run();
                done.complete(null);
            } catch (RuntimeException failure) {
                done.completeExceptionally(failure);
            }
        });
        assertThat(done).as(what).succeedsWithin(PATIENCE);
    }

    private void end() {
        world.endEverything();
        NothingLeft.in(world, capacity);
    }

    private AssertionError told(String where, Throwable failure) {
        return new AssertionError(
                scenario + ": " + where + ": " + failure.getMessage() + "\nThe kernel has "
                        + world.workspace().leftovers(),
                failure);
    }
}
