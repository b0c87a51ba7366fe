package dev.stowage.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ProbeRequest;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** What must be as before after every attack. */
final class Watch {

    private final Workspace workspace;
    private final RunningDriver driver;
    private final Canary canary;
    private final String marker = "stowage-marker-" + UUID.randomUUID();
    private final Set<String> entries;

    private Watch(Workspace workspace, RunningDriver driver, Canary canary) {
        this.workspace = workspace;
        this.driver = driver;
        this.canary = canary;
        workspace.directory("staging");
        workspace.directory("pods");
        this.entries = names(workspace.root());
    }

    static Watch over(Workspace workspace, RunningDriver driver) {
        return new Watch(workspace, driver, Canary.plant(workspace.root().resolve("outside")));
    }

    Canary canary() {
        return canary;
    }

    String marker() {
        return marker;
    }

    void assertUnharmed() {
        assertThat(canary.now()).isEqualTo(canary.planted());
        assertThat(names(workspace.root())).isEqualTo(entries);
        for (Path place : List.of(Path.of("/"), Path.of("/tmp"), Path.of("").toAbsolutePath())) {
            assertThat(names(place)).noneMatch(name -> name.contains(marker));
        }
        assertThat(workspace.mounts()).noneMatch(mount -> mount.startsWith(canary.root()));
        assertThat(driver.process().isAlive()).isTrue();
        assertThat(driver.process().descendants()).isEmpty();
        assertThat(driver.csi()
                        .identity()
                        .probe(ProbeRequest.getDefaultInstance())
                        .getReady()
                        .getValue())
                .isTrue();
    }

    /** Grows with every program that the driver has started and that has ended: the page faults of its children. */
    long programsRun() {
        try {
            String stat = Files.readString(
                    Path.of("/proc", Long.toString(driver.process().pid()), "stat"));
            // The second field is a name in parentheses that may hold blanks; the faults are nine fields after it.
            return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[8]);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Set<String> names(Path directory) {
        try (var entries = Files.newDirectoryStream(directory)) {
            var names = new TreeSet<String>();
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
            return names;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
