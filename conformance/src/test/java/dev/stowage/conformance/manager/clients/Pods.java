package dev.stowage.conformance.manager.clients;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Objects;

/** What is to be known of a pod. */
final class Pods {

    private Pods() {}

    static boolean ready(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus().getConditions() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    /** The only node that it may be on by its affinity; empty where it may be on several. */
    static String node(Pod pod) {
        var affinity = pod.getSpec().getAffinity();
        if (affinity == null || affinity.getNodeAffinity() == null) {
            return "";
        }
        var terms = affinity.getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms();
        return terms.stream()
                .flatMap(term -> term.getMatchFields().stream())
                .filter(field -> field.getKey().equals("metadata.name"))
                .flatMap(field -> field.getValues().stream())
                .findFirst()
                .orElse("");
    }

    /** Whether a scheduler would put it there. */
    static boolean tolerates(Pod pod, Node node) {
        return Objects.requireNonNullElse(node.getSpec().getTaints(), List.<Taint>of()).stream()
                .filter(taint -> !taint.getEffect().equals("PreferNoSchedule"))
                .allMatch(taint ->
                        pod.getSpec().getTolerations().stream().anyMatch(toleration -> tolerates(toleration, taint)));
    }

    private static boolean tolerates(Toleration toleration, Taint taint) {
        boolean effect =
                toleration.getEffect() == null || toleration.getEffect().equals(taint.getEffect());
        boolean key = toleration.getKey() == null || toleration.getKey().equals(taint.getKey());
        boolean value =
                "Exists".equals(toleration.getOperator()) || Objects.equals(toleration.getValue(), taint.getValue());
        return effect && key && value;
    }

    static String image(Pod pod) {
        return pod.getSpec().getContainers().getFirst().getImage();
    }
}
