package dev.stowage.kube.weka;

/** What all of these resources have in common, and what is noted on the objects that are made for them. */
public final class WekaResources {

    public static final String GROUP = "weka.weka.io";
    public static final String VERSION = "v1alpha1";
    public static final String FINALIZER = GROUP + "/finalizer";

    /** A label: the driver that an object belongs to. */
    public static final String DRIVER = "weka.io/csi-driver-name";
    /** A label: what an object is for, one of {@code csi_controller}, {@code csi_node}, {@code csi_driver}, {@code csi_storageclass}, {@code client}. */
    public static final String MODE = "weka.io/mode";

    /** A label: the client of a container. */
    public static final String CLIENT = "weka.io/client-name";

    /** An annotation: the container that a pod is for, as NAMESPACE/NAME. */
    public static final String CONTAINER = "weka.io/container";

    /** An annotation: of which template a client's pod was made. */
    public static final String CLIENT_HASH = "weka.io/client-hash";
    /** An annotation: of which template a node server was made. */
    public static final String NODE_HASH = "weka.io/csi-node-hash";
    /** How annotations of containers begin that have a node server on record, as JSON; the name of its driver follows. */
    public static final String SERVER = "csi-node.weka.io/";
    /** An annotation: of which configuration a controller was made. */
    public static final String CONTROLLER_HASH = "weka.io/csi-controller-hash";

    /** An annotation: the one client that answers for what several share. */
    public static final String OWNER_NAME = "weka.io/csi-controller-owner-name";

    public static final String OWNER_NAMESPACE = "weka.io/csi-controller-owner-namespace";

    /** An annotation of nodes: the drivers whose topology is on their labels, as we have put it there. */
    public static final String TOPOLOGY = "weka.io/csi-topology";

    /** The mode of containers that are clients. */
    public static final String MODE_CLIENT = "client";

    private WekaResources() {}
}
