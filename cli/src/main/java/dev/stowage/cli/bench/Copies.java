package dev.stowage.cli.bench;

import dev.stowage.core.volume.Sizes;
import java.util.concurrent.atomic.AtomicInteger;

/** A snapshot, or a clone, of a volume with data comes and goes. */
final class Copies implements Workload {

    private final Sources sources;
    private final String title;
    private final Copy copy;

    private interface Copy {
        void comeAndGo(CsiCalls calls, String name, String source);
    }

    private Copies(Sources sources, String title, Copy copy) {
        this.sources = sources;
        this.title = title;
        this.copy = copy;
    }

    static Copies snapshots(Sources sources, long data) {
        return new Copies(
                sources,
                "snapshot + delete of 1 GiB with " + Sizes.text(data),
                (calls, name, source) -> calls.deleteSnapshot(calls.snapshot(name, source)));
    }

    static Copies clones(Sources sources, long data) {
        return new Copies(
                sources,
                "clone + delete of 1 GiB with " + Sizes.text(data),
                (calls, name, source) -> calls.delete(calls.clone(name, Sources.SIZE, Sources.CAPABILITY, source)));
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean copiesData() {
        return true;
    }

    @Override
    public Lane lane(DriverUnderTest driver, int number) throws Exception {
        var calls = new CsiCalls(driver);
        String source = sources.of(driver, number);
        var made = new AtomicInteger();
        return () -> copy.comeAndGo(calls, "copy-" + number + "-" + made.incrementAndGet(), source);
    }
}
