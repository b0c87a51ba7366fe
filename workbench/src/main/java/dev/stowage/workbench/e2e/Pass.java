package dev.stowage.workbench.e2e;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A run of the suite. One description of the driver cannot fit all specs: some want volumes that are bound at once, and group
 * snapshots want all volumes on one node. And specs that stop a kubelet disturb all others. Every spec belongs to one pass.
 *
 * @param focus which specs it has, as a regular expression
 * @param skip which of them belong to another pass, or nothing
 * @param storageClass the file with the class that volumes are made with
 * @param alone whether its specs run one after the other
 * @param topologyKeys whether the suite is told that volumes belong to a node. It then leaves out what binds at once.
 */
record Pass(
        String name, String focus, Optional<String> skip, boolean alone, String storageClass, boolean topologyKeys) {
    private static final String BOUND_AT_ONCE = "External.Storage.*(-performance|volume-modify-stress.* should modify"
            + "|\\(immediate-binding\\)\\] ephemeral should (create|support (expansion|two)))";
    private static final String GROUPS = "External.Storage.*volumegroupsnapshot";

    private static final String DISRUPTIVE = "External.Storage.*\\[Disruptive\\]";

    static List<Pass> all() {
        return List.of(
                new Pass("bound-at-once", BOUND_AT_ONCE, Optional.empty(), false, "storageclass-immediate.yaml", false),
                new Pass("groups", GROUPS, Optional.empty(), false, "storageclass-one-node.yaml", true),
                new Pass(
                        "all-others",
                        "External.Storage",
                        Optional.of(String.join("|", BOUND_AT_ONCE, GROUPS, DISRUPTIVE)),
                        false,
                        "storageclass.yaml",
                        true),
                new Pass("disruptive", DISRUPTIVE, Optional.empty(), true, "storageclass.yaml", true));
    }

    /** What the suite is told about the driver in this pass. */
    String description(String common) {
        return common.lines()
                .filter(line -> topologyKeys || !line.strip().startsWith("TopologyKeys:"))
                .map(line -> line.replace("FromFile: storageclass.yaml", "FromFile: " + storageClass))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
