package dev.stowage.conformance.pool;

import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A workspace with a driver in it that can be stopped, killed and started again with the same options. */
public final class Rig implements AutoCloseable {

    private final Workspace workspace;
    private final Media media;
    private final UnaryOperator<RunningDriver.Options> options;
    private RunningDriver driver;

    private Rig(Workspace workspace, Media media, UnaryOperator<RunningDriver.Options> options) {
        this.workspace = workspace;
        this.media = media;
        this.options = options;
        this.driver = options.apply(RunningDriver.in(workspace)).start();
    }

    /** Makes what the driver's options need, such as a disk for its pool. */
    public interface Preparation {
        UnaryOperator<RunningDriver.Options> prepare(Workspace workspace, Media media);
    }

    public static Rig prepared(Preparation preparation) {
        var workspace = Workspace.create();
        var media = new Media(workspace);
        try {
            return new Rig(workspace, media, preparation.prepare(workspace, media));
        } catch (RuntimeException failure) {
            workspace.clear();
            media.close();
            workspace.close();
            throw failure;
        }
    }

    public static Rig with(UnaryOperator<RunningDriver.Options> options) {
        return prepared((workspace, media) -> options);
    }

    /** A pool in an image that can share blocks. */
    public static Rig sharingBlocks() {
        return with(options -> options.sharingBlocks("4Gi"));
    }

    /** A pool in a directory of the machine's own filesystem. */
    public static Rig copyingBlocks() {
        return prepared((workspace, media) -> {
            var directory = media.filesystem("ext4", "plain", 16 * Claim.GIB);
            return options -> options.pool(directory);
        });
    }

    public Workspace workspace() {
        return workspace;
    }

    public Media media() {
        return media;
    }

    public RunningDriver driver() {
        return driver;
    }

    public CsiClient csi() {
        return driver.csi();
    }

    public Claim claim(String name, long size, VolumeCapability capability, Map<String, String> parameters) {
        return Claim.create(csi(), workspace, name, size, capability, parameters);
    }

    public Claim claim(String name, long size, VolumeCapability capability) {
        return claim(name, size, capability, Map.of());
    }

    /** Stops the driver as an orchestrator would, and starts it again. */
    public void restart() {
        restart(UnaryOperator.identity());
    }

    public void restart(UnaryOperator<RunningDriver.Options> more) {
        driver.close();
        start(more);
    }

    /** Starts a driver after the last one has ended. */
    public void start(UnaryOperator<RunningDriver.Options> more) {
        driver = more.apply(options.apply(RunningDriver.in(workspace))).start();
    }

    @Override
    public void close() {
        // Whatever fails first is told; the rest still has to go, or it disturbs other tests.
        try (workspace;
                media;
                var ending = driver) {
            ending.close();
        }
    }
}
