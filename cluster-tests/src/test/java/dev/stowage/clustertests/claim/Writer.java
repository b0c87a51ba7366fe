package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.workbench.process.Waiting;
import java.util.stream.IntStream;

/** A pod that counts into a file of its volume, as fast as the disk takes it, and ends at the first error. */
final class Writer {
    private static final String SCRIPT =
            "n=0; while n=$((n + 1)); do echo $n | dd of=/data/count oflag=append conv=notrunc,fsync || exit 1; done";

    private final Workload workload;
    private final String name;

    private Writer(Workload workload, String name) {
        this.workload = workload;
        this.name = name;
    }

    static Writer start(Workload workload, String name, String claim) {
        workload.pod(name, claim, SCRIPT, "{}");
        var writer = new Writer(workload, name);
        writer.awaitMore();
        return writer;
    }

    String node() {
        return workload.nodeOf(name);
    }

    long count() {
        return workload.shell(name, "wc -l < /data/count").strip().transform(Long::parseLong);
    }

    /** Waits until it has written more than it had. */
    void awaitMore() {
        long before = count();
        assertThat(Waiting.until(Workload.PATIENCE, () -> count() > before + 20))
                .as("%s goes on after %d", name, before)
                .isTrue();
    }

    /** It never met an error, nothing that it wrote is missing, and it still writes. */
    void assertUninterrupted() {
        awaitMore();
        assertThat(workload.namespace()
                        .kubectl("get", "pod", name, "--output=jsonpath={.status.containerStatuses[0].restartCount}"))
                .isEqualTo("0");
        var written = workload.shell(name, "cat /data/count").lines().toList();
        assertThat(written)
                .isEqualTo(IntStream.rangeClosed(1, written.size())
                        .mapToObj(Integer::toString)
                        .toList());
    }
}
