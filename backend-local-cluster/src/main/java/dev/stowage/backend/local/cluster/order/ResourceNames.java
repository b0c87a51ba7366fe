package dev.stowage.backend.local.cluster.order;

import dev.stowage.core.id.RequestName;
import dev.stowage.kube.Digest;

/**
 * Names of resources. One request always has one resource, whoever of several controllers it comes to, so the name is made from it; and
 * from the driver's name, as two drivers may be asked for the same.
 *
 * <p>The driver of the default name has the names that all drivers had when a cluster had one.
 */
public record ResourceNames(Ownership owner) {

    /**
     * How the resource for a request is named.
     *
     * @param present the name of a new one
     * @param former the name that one of ours may have from the time when a cluster had one driver
     */
    public record Candidates(String present, String former) {}

    public Candidates volume(RequestName name) {
        return candidates("vol-", name);
    }

    public Candidates snapshot(RequestName name) {
        return candidates("snap-", name);
    }

    public Candidates group(RequestName name) {
        return candidates("group-", name);
    }

    private Candidates candidates(String kind, RequestName name) {
        String former = kind + Digest.of(name.value());
        return new Candidates(owner.isDefault() ? former : kind + ofDriver(name.value()), former);
    }

    /** The pool of a node, where the node's own name is not to be had for it. */
    public String pool(String node) {
        return "pool-" + ofDriver(node);
    }

    /** The sign of life of a node. Node names can be as long as a resource's, so that a prefix would not always fit. */
    public String lease(String node) {
        return "stowage-node-" + Digest.of(owner.driver() + " " + node);
    }

    /** No name of a driver, a request or a node has a line break, so that no two pairs make the same text. */
    private String ofDriver(String name) {
        return Digest.of(owner.driver() + "\n" + name);
    }
}
