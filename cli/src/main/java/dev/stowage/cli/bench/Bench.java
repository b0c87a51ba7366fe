package dev.stowage.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The whole run, from two empty drivers to the last figure. */
final class Bench {

    private static final Duration REST = Duration.ofSeconds(2);
    private static final String IMAGE = "8Gi";
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final int LISTED_AT_ONCE = 200_000;

    private final Plan plan;
    private final Workspace workspace;
    private final Path launcher;
    private final Path hostpath;
    private final Progress progress;
    private final Results results;
    private final Lanes lanes = new Lanes();
    private final Population population;
    private final Measuring measuring;
    private final Sources sources;
    private final List<Workload> operations;
    private final List<Workload> listings;

    Bench(Plan plan, Workspace workspace, Path launcher, Path hostpath, Progress progress, Results results) {
        this.plan = plan;
        this.workspace = workspace;
        this.launcher = launcher;
        this.hostpath = hostpath;
        this.progress = progress;
        this.results = results;
        population = new Population(plan.populating(), progress);
        measuring = new Measuring(plan, workspace, progress, lanes);
        sources = new Sources(plan.data());
        operations = List.of(
                new CreateAndDelete(),
                Use.filesystem(),
                Use.block(),
                new FirstStage(),
                Copies.snapshots(sources, plan.data()),
                Copies.clones(sources, plan.data()));
        listings = List.of(Listing.paged(population::of), Listing.whole(population::of));
    }

    /** Operations that no aim speaks of. */
    Set<String> informative() {
        return operations.stream()
                .filter(workload -> !workload.counts())
                .map(Workload::title)
                .collect(Collectors.toSet());
    }

    void run() throws IOException, InterruptedException {
        boolean image = !workspace.sharesBlocks();
        describeTheMachine(image);
        results.note(
                "the reference gives no token for a further page, so its listing in pages is its listing in one answer");
        progress.step("weighing our node role");
        try {
            NodePod.weigh(workspace, launcher, results);
        } catch (IOException | RuntimeException failure) {
            results.fail("ours, node role: " + Callers.reason(failure));
        }

        var ours = workspace.register(ours("ours", image));
        var reference = workspace.register(reference("reference"));
        var both = List.of(ours, reference);
        starts(ours, reference);
        Thread.sleep(REST);
        weigh(both, "idle");
        warmUp(both);
        for (int level : plan.volumes()) {
            populate(both, level);
            compare(level, ours, reference);
        }
        if (plan.mostVolumes() > Plan.FEW) {
            scale(ours, reference, image);
        }
        weigh(both, "after the run");
        both.forEach(this::takeDown);
        if (plan.mostVolumes() > 0) {
            ours.stop();
            reference.stop();
            starts(ours, reference);
        }
        for (var driver : both) {
            driver.stop();
        }
        progress.done();
    }

    private Ours ours(String label, boolean image) throws IOException {
        return Ours.all(label, workspace.directory().resolve(label), launcher, image, IMAGE);
    }

    private Reference reference(String label) throws IOException {
        return new Reference(label, workspace.directory().resolve(label), hostpath);
    }

    private void describeTheMachine(boolean image) throws IOException {
        results.machine("date", LocalDate.now(ZoneId.systemDefault()).toString());
        results.machine("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        results.machine(
                "kernel",
                Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip());
        results.machine(
                "filesystem of the run",
                Files.getFileStore(workspace.directory()).type() + (image ? ", ours in a pool image of its own" : ""));
        results.machine(
                "load before", Files.readString(Path.of("/proc/loadavg")).strip());
    }

    /** Leaves both running. */
    private void starts(Ours ours, Reference reference) throws IOException, InterruptedException {
        progress.step("measuring starts with " + population.of(ours) + " volumes on record");
        var our = new Samples();
        var their = new Samples();
        ours.start();
        reference.start();
        for (int i = 0; i < plan.starts(); i++) {
            ours.stop();
            our.add(ours.start());
            reference.stop();
            their.add(reference.start());
        }
        results.add(new Results.Starts(population.of(ours), our.outcome(), their.outcome()));
    }

    private void weigh(List<? extends DriverUnderTest> drivers, String when) throws IOException {
        for (var driver : drivers) {
            results.add(new Results.Footprint(
                    driver instanceof Ours ? "ours, --role all" : "reference, the driver alone",
                    when,
                    driver.memory()));
        }
    }

    /** This client and our driver are compiled while they run; what they do before that is not what is asked for here. */
    private void warmUp(List<? extends DriverUnderTest> drivers) throws IOException, InterruptedException {
        for (var workload : operations) {
            if (!workload.copiesData()) {
                long end = System.nanoTime() + WARM_UP.toNanos();
                do {
                    measuring.warmUp(workload, plan.usualCallers(), drivers);
                } while (System.nanoTime() < end);
            }
        }
    }

    private void populate(List<? extends DriverUnderTest> drivers, int level) throws InterruptedException {
        population.fill(drivers, level).forEach((driver, failures) -> {
            results.count(failures.outcome(), driver.label());
            if (population.of(driver) < level) {
                results.note(driver + " had " + population.of(driver) + " volumes instead of " + level
                        + ", because making more took too long");
            }
        });
    }

    private void compare(int level, Ours ours, Reference reference) throws IOException, InterruptedException {
        for (var workload : at(level)) {
            for (int callers : plan.callers()) {
                if (listings.contains(workload) && (long) callers * level > LISTED_AT_ONCE) {
                    results.note(workload.title() + " by " + callers + " callers of " + level
                            + " volumes was not run: this client's memory could not hold the answers");
                    continue;
                }
                var outcomes = measuring.measure(workload, callers, List.of(ours, reference));
                results.add(new Row(
                        workload.title(), level, callers, outcome(outcomes, ours), outcome(outcomes, reference)));
            }
        }
    }

    private List<Workload> at(int level) {
        var workloads = new ArrayList<>(operations);
        if (level > 0) {
            workloads.addAll(listings);
        }
        return workloads;
    }

    private static Outcome outcome(Map<DriverUnderTest, Outcome> outcomes, DriverUnderTest driver) {
        return Objects.requireNonNull(outcomes.get(driver), "every driver has an outcome");
    }

    /** A second pair of drivers with few volumes takes turns with the first, or a change of the machine's mood would count as cost. */
    private void scale(Ours ours, Reference reference, boolean image) throws IOException, InterruptedException {
        var oursWithFew = workspace.register(ours("ours-few", image));
        var referenceWithFew = workspace.register(reference("reference-few"));
        oursWithFew.start();
        referenceWithFew.start();
        var few = List.of(oursWithFew, referenceWithFew);
        warmUp(few);
        populate(few, Plan.FEW);
        for (var workload : operations) {
            // What the reference copies outweighs what it looks up, so that this would only tell the speed of tar once
            // more.
            boolean referenceToo = !workload.copiesData();
            var drivers = referenceToo
                    ? List.of(ours, oursWithFew, reference, referenceWithFew)
                    : List.<DriverUnderTest>of(ours, oursWithFew);
            var outcomes = measuring.measure(workload, plan.usualCallers(), drivers);
            results.add(scaling("ours", workload, outcome(outcomes, ours), outcome(outcomes, oursWithFew)));
            if (referenceToo) {
                results.add(scaling(
                        "reference", workload, outcome(outcomes, reference), outcome(outcomes, referenceWithFew)));
            }
        }
        for (var driver : few) {
            takeDown(driver);
            driver.stop();
        }
    }

    private Scaling scaling(String driver, Workload workload, Outcome many, Outcome few) {
        return new Scaling(driver, workload.title(), plan.usualCallers(), plan.mostVolumes(), Plan.FEW, many, few);
    }

    /** Removes what was made for measuring; the volumes that are merely present stay. */
    private void takeDown(DriverUnderTest driver) {
        progress.step("taking down what " + driver + " was measured with");
        var failures = new Samples();
        lanes.close(driver, failures);
        try {
            sources.deleteAll(driver);
        } catch (RuntimeException failure) {
            failures.fail("deleting sources: " + Callers.reason(failure));
        }
        results.count(failures.outcome(), driver.label());
    }
}
