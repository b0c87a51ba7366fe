package dev.stowage.clustertests;

import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Layout;
import dev.stowage.workbench.cluster.Tools;
import dev.stowage.workbench.story.Story;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cluster for tests of this process. With STOWAGE_TEST_CLUSTER set it is the one of that name, and it stays. */
final class ClusterOfThisRun implements AutoCloseable {
    private final @Nullable String existing = System.getenv("STOWAGE_TEST_CLUSTER");
    private final Layout layout;
    private final Story story = new Story(System.out, false);
    private @Nullable Cluster cluster;

    /** @param kind with which its name begins */
    ClusterOfThisRun(String kind) {
        String prefix = kind + "-";
        layout =
                Layout.of(existing == null ? prefix + ProcessHandle.current().pid() : existing, Layout.defaultParent());
        takeDownThoseOfDeadRuns(prefix);
    }

    synchronized Cluster withNodes(int nodes) {
        var present = cluster;
        if (present == null || present.nodes().size() < nodes) {
            present = Cluster.find(layout)
                            .filter(found -> found.nodes().size() >= nodes)
                            .isPresent()
                    ? Cluster.up(layout, Optional.empty(), Tools.fromEnvironment(), story)
                    : Cluster.up(layout, Optional.of(nodes), Tools.fromEnvironment(), story);
            cluster = present;
        }
        return present;
    }

    @Override
    public void close() {
        if (existing == null) {
            Cluster.down(layout, story);
        }
    }

    /** A run that was killed could not do it itself. */
    private void takeDownThoseOfDeadRuns(String prefix) {
        var parent = Layout.defaultParent();
        if (!Files.exists(parent)) {
            return;
        }
        try (var clusters = Files.newDirectoryStream(parent, prefix + "[0-9]*")) {
            for (Path state : clusters) {
                var name = state.getFileName().toString();
                if (ProcessHandle.of(Long.parseLong(name.substring(prefix.length())))
                        .isEmpty()) {
                    Cluster.down(Layout.of(name, parent), story);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("the clusters in " + parent + " cannot be listed", failure);
        }
    }
}
