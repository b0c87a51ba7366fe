package dev.stowage.cli.bench.arrays;

import dev.stowage.cli.bench.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Everything that was measured, as far as the run came. */
final class ArraysResults {

    /** What the controller's looks at all arrays cost while nothing else happened. */
    record Looks(int volumes, long looks, Calls calls, Duration ofController, Duration ofArrays) {

        double callsPerLook() {
            return (double) calls.total() / looks;
        }

        double controllerMillis() {
            return ofController.toNanos() / 1e6 / looks;
        }

        double arrayMillis() {
            return ofArrays.toNanos() / 1e6 / looks;
        }
    }

    record Weight(int volumes, Memory memory, long liveHeap) {}

    /** One turn of volumes made and deleted, and of volumes attached and detached. */
    record Turn(boolean sick, Load volumes, Load attachments, Calls whileMaking, Calls whileAttaching) {}

    private final Map<String, String> machine = new LinkedHashMap<>();
    private final List<Looks> looks = new ArrayList<>();
    private final List<Weight> weights = new ArrayList<>();
    private final List<Turn> turns = new ArrayList<>();
    private final Map<String, Integer> failures = new TreeMap<>();
    private final Map<String, Duration> work = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private @Nullable Load filling;
    private @Nullable Calls whileFilling;

    void machine(String what, String value) {
        machine.put(what, value);
    }

    Map<String, String> machine() {
        return machine;
    }

    void add(Looks more) {
        looks.add(more);
    }

    List<Looks> looks() {
        return looks;
    }

    void add(Weight more) {
        weights.add(more);
    }

    List<Weight> weights() {
        return weights;
    }

    void add(Turn turn) {
        turns.add(turn);
        count(turn.volumes());
        count(turn.attachments());
    }

    List<Turn> turns(boolean sick) {
        return turns.stream().filter(turn -> turn.sick() == sick).toList();
    }

    void filled(Load load, Calls calls) {
        filling = load;
        whileFilling = calls;
        count(load);
    }

    /** How long processors worked for whom while volumes were made. */
    void worked(String who, Duration time) {
        work.put(who, time);
    }

    Map<String, Duration> work() {
        return work;
    }

    Optional<Load> filling() {
        return Optional.ofNullable(filling);
    }

    Optional<Calls> whileFilling() {
        return Optional.ofNullable(whileFilling);
    }

    void count(Load load) {
        load.failures().forEach((why, times) -> failures.merge(why, times, Integer::sum));
    }

    Map<String, Integer> failures() {
        return failures;
    }

    void note(String note) {
        notes.add(note);
    }

    List<String> notes() {
        return notes;
    }
}
