package dev.stowage.workbench.cluster;

/**
 * The addresses of a cluster: everything is in 10.N.0.0/16, and N is the cluster's own.
 *
 * @param network the N
 */
record Addresses(int network) {
    private static final int FIRST_NODE = 10;

    /** The network of the machines, which are the control plane, the nodes and the host itself. */
    String machines() {
        return in(0, 0) + "/24";
    }

    String controlPlane() {
        return in(0, 1);
    }

    String host() {
        return in(0, 254);
    }

    String node(int number) {
        return in(0, FIRST_NODE + number);
    }

    /** The pods of a node; the first address is the node's bridge. */
    String pods(int node) {
        return in(FIRST_NODE + node, 0) + "/24";
    }

    String allPods() {
        return in(0, 0) + "/17";
    }

    String services() {
        return in(128, 0) + "/20";
    }

    /** Where pods find the API server. */
    String apiService() {
        return in(128, 1);
    }

    /** The name of the device by which the host takes part. */
    String device() {
        return "stowage-" + network;
    }

    private String in(int third, int fourth) {
        return "10.%d.%d.%d".formatted(network, third, fourth);
    }
}
