package dev.stowage.clustertests.claim;

import dev.stowage.workbench.cluster.Cluster;

/**
 * The volume behind a bound claim.
 *
 * @param persistentVolume the name of the PersistentVolume
 * @param id the volume's id, by which the driver knows it
 * @param order the name of the LocalVolume
 * @param node whose pool it is in
 */
record ClaimedVolume(Cluster cluster, String persistentVolume, String id, String order, String node) {

    static ClaimedVolume of(Cluster cluster, Workload workload, String claim) {
        var name = workload.field("persistentvolumeclaim/" + claim, "{.spec.volumeName}");
        var id = cluster.kubectl().run("get", "persistentvolume", name, "--output=jsonpath={.spec.csi.volumeHandle}");
        var found = cluster.kubectl()
                .run(
                        "get",
                        "lvol",
                        "--field-selector=status.volumeId=" + id,
                        "--output=jsonpath={.items[*].metadata.name} {.items[*].spec.node}")
                .split(" ");
        return new ClaimedVolume(cluster, name, id, found[0], found[1]);
    }

    /** A field of the LocalVolume. */
    String field(String path) {
        return cluster.kubectl().run("get", "lvol", order, "--output=jsonpath=" + path);
    }

    OnNode onNode() {
        return OnNode.of(cluster, node);
    }

    /** Its file, on its node. */
    String file() {
        return onNode().pool("volumes/" + id);
    }
}
