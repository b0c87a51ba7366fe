package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import dev.stowage.manager.apply.Conditions;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What nodes have for drivers, as conditions. There is always one of every type. */
public final class NodeConditions {

    private static final List<String> TYPES = List.of("Iscsid", "Multipath", "KernelModules", "KubeletDirectory");

    private NodeConditions() {}

    /**
     * The conditions of one node.
     *
     * @param findings nothing when nobody has looked yet; then everything is as it was before
     */
    public static List<Condition> of(Optional<List<Finding>> findings, @Nullable List<Condition> before) {
        if (findings.isEmpty() && before != null && !before.isEmpty()) {
            return before;
        }
        var conditions = new Conditions(before);
        for (String type : TYPES) {
            set(conditions, find(findings.orElse(List.of()), type));
        }
        return conditions.all();
    }

    /** The same words for everything. */
    public static List<Finding> unknown(String message) {
        return TYPES.stream().map(type -> new Finding(type, null, message)).toList();
    }

    private static Finding find(List<Finding> among, String type) {
        return among.stream()
                .filter(each -> each.name().equals(type))
                .findFirst()
                .orElseGet(() -> new Finding(type, null, "the node was not looked at yet"));
    }

    private static void set(Conditions conditions, Finding finding) {
        var ok = finding.ok();
        if (ok == null) {
            conditions.set(finding.name(), "Unknown", "NotKnown", finding.message());
        } else if (ok) {
            conditions.set(finding.name(), "True", "Found", finding.message());
        } else {
            conditions.set(finding.name(), "False", "Missing", finding.message());
        }
    }
}
