package dev.stowage.kube.local;

/** What the resources of this group have in common. */
public final class LocalResources {

    public static final String GROUP = "local.stowage.dev";
    public static final String VERSION = "v1alpha1";

    /** On a resource for which the node's pool may hold something. */
    public static final String FINALIZER = GROUP + "/pool";

    private LocalResources() {}
}
