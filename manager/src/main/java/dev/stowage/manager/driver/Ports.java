package dev.stowage.manager.driver;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;

/**
 * Where the sidecars of a pod answer over HTTP.
 *
 * <p>In a network of its own every port of a pod is free. In the network of its node it meets the pods of all other drivers there, and
 * those of its own: the controller's may be on any node. So each use has a range, and each driver its place in it, always the same one,
 * because another port is another template and restarts every pod. The ranges end below 30000, where Kubernetes begins to hand out ports
 * of nodes to services, and the kernel to connections. Two drivers of one node can still have the same place; then the sidecar that
 * comes second ends and says which port is taken, and its pod does not become ready.
 */
record Ports(boolean ofTheNode, String driver, Habits habits) {

    private static final int RANGE = 3000;

    static Ports of(PodTemplateSpec template, String driver, Habits habits) {
        return new Ports(Boolean.TRUE.equals(template.getSpec().getHostNetwork()), driver, habits);
    }

    /** Of the liveness probe beside the driver on a node. */
    int nodeHealth() {
        return port(habits.nodeHealth(), 20_000);
    }

    /** Of the one beside the controller. */
    int controllerHealth() {
        return port(habits.controllerHealth(), 20_000 + RANGE);
    }

    int registrar() {
        return port(habits.registrar(), 20_000 + 2 * RANGE);
    }

    private int port(int usual, int first) {
        return ofTheNode ? first + Math.floorMod(driver.hashCode(), RANGE) : usual;
    }
}
