package dev.stowage.backend.local.pool;

/** The names inside a pool. */
final class PoolLayout {

    static final String MARKER = "stowage-pool";
    static final String DRIVER = "stowage-driver";
    static final String VOLUMES = "volumes";
    static final String SNAPSHOTS = "snapshots";
    static final String EPHEMERAL = "ephemeral";
    static final String CONTROLLER_RECORDS = "controller.records";
    static final String NODE_RECORDS = "node.records";
    static final String IMAGE = "pool.img";
    static final String IMAGE_MOUNT = "pool";

    private PoolLayout() {}
}
