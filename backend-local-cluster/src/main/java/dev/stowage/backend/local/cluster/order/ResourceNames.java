package dev.stowage.backend.local.cluster.order;

import dev.stowage.core.id.RequestName;
import dev.stowage.kube.Digest;

/** Names of resources. One request always has one resource, whoever of several controllers it comes to, so the name is made from it. */
public final class ResourceNames {

    private ResourceNames() {}

    public static String volume(RequestName name) {
        return "vol-" + Digest.of(name.value());
    }

    public static String snapshot(RequestName name) {
        return "snap-" + Digest.of(name.value());
    }

    public static String group(RequestName name) {
        return "group-" + Digest.of(name.value());
    }

    /** The sign of life of a node. Node names can be as long as a resource's, so that a prefix would not always fit. */
    public static String lease(String driverName, String node) {
        return "stowage-node-" + Digest.of(driverName + " " + node);
    }
}
