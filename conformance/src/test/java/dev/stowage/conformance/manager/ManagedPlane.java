package dev.stowage.conformance.manager;

import dev.stowage.conformance.cluster.ControlPlane;
import dev.stowage.conformance.harness.Workspace;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An API server, and the manager that works on what is in it. */
public final class ManagedPlane implements AutoCloseable {

    private final Workspace workspace = Workspace.create();
    private final ControlPlane plane = ControlPlane.start(workspace.directory("plane"));
    private @Nullable RunningManager manager;
    private int managers;

    private ManagedPlane() {}

    /** The test itself starts managers, if it wants any. */
    public static ManagedPlane withoutManager() {
        return new ManagedPlane();
    }

    public static ManagedPlane withManager(String... options) {
        var managed = new ManagedPlane();
        managed.startManager(options);
        return managed;
    }

    public Workspace workspace() {
        return workspace;
    }

    public ControlPlane plane() {
        return plane;
    }

    public KubernetesClient client() {
        return plane.client();
    }

    public RunningManager manager() {
        return Objects.requireNonNull(manager, "no manager was started");
    }

    public RunningManager startManager(String... options) {
        // Each has a log of its own, which tells what this one did.
        manager = new RunningManager(workspace, plane, "manager-" + ++managers, options);
        return manager;
    }

    public void stopManager() {
        var running = manager;
        manager = null;
        if (running != null) {
            running.close();
        }
    }

    /** So that the next one need not wait until it is sure that the former is dead. */
    public void forgetTheLeader() {
        client().leases().inNamespace("default").withName("stowage-manager").delete();
    }

    @Override
    public void close() {
        try {
            stopManager();
        } finally {
            plane.close();
            workspace.close();
        }
    }
}
