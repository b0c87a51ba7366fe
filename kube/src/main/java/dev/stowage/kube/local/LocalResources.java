package dev.stowage.kube.local;

/** What the resources of this group have in common. */
public final class LocalResources {

    public static final String GROUP = "local.stowage.dev";
    public static final String VERSION = "v1alpha1";

    /** On a resource for which the node's pool may hold something. */
    public static final String FINALIZER = GROUP + "/pool";

    /**
     * On every resource: the name of the driver that it belongs to. Drivers of several names can share a cluster; each looks only at
     * what carries its own name.
     */
    public static final String DRIVER_LABEL = GROUP + "/driver";

    /** Where the label is in a resource, for a column of a listing. */
    static final String DRIVER_PATH = ".metadata.labels.local\\.stowage\\.dev/driver";

    /** The priority of a column that only {@code -o wide} shows. */
    static final int WIDE = 1;

    private LocalResources() {}
}
