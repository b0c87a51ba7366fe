package dev.stowage.clustertests.manager;

import dev.stowage.clustertests.image.ImageUnderTest;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.install.Installation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A manager beside a cluster, as a process of this machine. */
final class ManagerOnHost implements AutoCloseable {

    private static final Path DEFINITIONS = Path.of("charts/stowage/files/crds/manager");
    private static final Set<String> PREPARED = new HashSet<>();

    private final Cluster cluster;
    private final List<String> options;
    private final Path log;
    private @Nullable Process process;

    private ManagerOnHost(Cluster cluster, List<String> options) {
        this.cluster = cluster;
        this.options = options;
        try {
            log = Files.createTempFile(cluster.layout().state(), "manager-", ".log");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** @param options beside those that every manager needs */
    static ManagerOnHost start(Cluster cluster, String... options) {
        prepare(cluster);
        var manager = new ManagerOnHost(cluster, List.of(options));
        manager.start();
        return manager;
    }

    private static synchronized void prepare(Cluster cluster) {
        // A node that came later has no images yet.
        if (!PREPARED.add(cluster.name() + " with " + cluster.nodes().size())) {
            return;
        }
        try {
            new Installation(cluster, ImageUnderTest.home().resolve("charts/stowage"))
                    .loadImages(ImageUnderTest.get().built().file());
            HostpathDriver.loadImage(cluster);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        cluster.kubectl()
                .run(
                        "apply",
                        "--server-side",
                        "--filename=" + ImageUnderTest.home().resolve(DEFINITIONS));
    }

    void start() {
        var command = new ArrayList<>(List.of(
                ImageUnderTest.home().resolve("stowage").toString(),
                "manager",
                "--kubeconfig=" + cluster.kubeconfig(),
                "--namespace=default",
                "--image=" + ImageUnderTest.NAME,
                "--provisioner-image=localhost/csi-provisioner:1",
                "--resizer-image=localhost/csi-resizer:1",
                "--snapshotter-image=localhost/csi-snapshotter:1"));
        command.addAll(options);
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("STOWAGE_NO_BUILD", "1");
        try {
            process = builder.start();
        } catch (IOException failed) {
            throw new UncheckedIOException("the manager cannot be started", failed);
        }
    }

    /** Whether it is the one that works, or would be. */
    boolean stands() {
        return logged("the manager waits for ");
    }

    /** Whether it is the one that works. */
    boolean leads() {
        return logged(" leads by the lease ");
    }

    private boolean logged(String text) {
        try {
            return Files.readString(log).contains(text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Without a goodbye. */
    void kill() {
        end(Process::destroyForcibly);
    }

    @Override
    public void close() {
        end(running -> {
            running.destroy();
            return running;
        });
    }

    private interface End {
        Process of(Process running);
    }

    private void end(End end) {
        var running = process;
        if (running == null) {
            return;
        }
        try {
            if (!end.of(running).waitFor(60, TimeUnit.SECONDS)) {
                running.destroyForcibly();
                throw new AssertionError("the manager did not end within a minute");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
        process = null;
    }
}
