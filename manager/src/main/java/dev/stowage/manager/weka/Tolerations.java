package dev.stowage.manager.weka;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.manager.beside.Taints;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Which nodes a client keeps away from. */
final class Tolerations {

    /** How a node is at the moment, or what is done there. Pods that belong to nodes stay on them through all of it. */
    private static final Set<String> PASSING = Set.of(
            "node.kubernetes.io/not-ready",
            "node.kubernetes.io/unreachable",
            "node.kubernetes.io/disk-pressure",
            "node.kubernetes.io/memory-pressure",
            "node.kubernetes.io/pid-pressure",
            "node.kubernetes.io/unschedulable",
            "node.kubernetes.io/network-unavailable",
            CsiDriverDeployment.RESTARTING);

    private Tolerations() {}

    /** Both forms in which a client can say it. */
    static List<Toleration> of(WekaClient.Spec spec) {
        var all = new ArrayList<Toleration>();
        for (String key : Objects.requireNonNullElse(spec.tolerations(), List.<String>of())) {
            all.add(new TolerationBuilder().withKey(key).withOperator("Exists").build());
        }
        all.addAll(Objects.requireNonNullElse(spec.rawTolerations(), List.<Toleration>of()));
        return all.stream().distinct().toList();
    }

    /** The first taint that keeps a client away, if there is one. */
    static Optional<Taint> obstacle(Node node, List<Toleration> tolerations) {
        var taints = node.getSpec() == null ? null : node.getSpec().getTaints();
        return Objects.requireNonNullElse(taints, List.<Taint>of()).stream()
                .filter(taint -> !"PreferNoSchedule".equals(taint.getEffect()))
                .filter(taint -> !PASSING.contains(taint.getKey()))
                .filter(taint -> tolerations.stream().noneMatch(each -> Taints.tolerates(each, taint)))
                .findFirst();
    }
}
