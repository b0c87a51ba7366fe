package dev.stowage.cli.driver;

import csi.v1.ControllerGrpc;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGrpc;
import dev.stowage.linux.file.Directory;
import java.nio.file.Path;

/**
 * Loads what every driver needs while its options are still being read. Both take about as long, and a machine with two cores does
 * them at once.
 */
public final class Preload {

    private Preload() {}

    public static void begin() {
        Thread.ofPlatform().daemon().name("preload").start(Preload::run);
    }

    private static void run() {
        // The first system call links the way to all of them.
        try (var root = Directory.open(Path.of("/"))) {
            root.exists("dev");
        }
        IdentityGrpc.getServiceDescriptor().getMethods();
        ControllerGrpc.getServiceDescriptor().getMethods();
        NodeGrpc.getServiceDescriptor().getMethods();
    }
}
