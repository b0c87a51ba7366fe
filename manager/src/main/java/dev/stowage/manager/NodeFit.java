package dev.stowage.manager;

import dev.stowage.manager.beside.Placement;
import dev.stowage.manager.beside.Taints;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * On which nodes a DaemonSet has pods. Its controller judges those that run by the template of now, whatever template they are of, and
 * ends those that are not for their node, also with the strategy OnDelete.
 */
final class NodeFit {

    private NodeFit() {}

    /** Whether two templates are for the same nodes, whatever nodes there are. */
    static boolean same(PodTemplateSpec one, PodTemplateSpec other) {
        return Objects.equals(one.getSpec().getNodeName(), other.getSpec().getNodeName())
                && selector(one.getSpec()).equals(selector(other.getSpec()))
                && Objects.equals(required(one.getSpec()), required(other.getSpec()))
                && Placement.tolerations(one).equals(Placement.tolerations(other));
    }

    /** Whether a pod that runs on a node stays there. */
    static boolean keeps(PodTemplateSpec template, Node node) {
        var spec = template.getSpec();
        var labels = Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of());
        var required = required(spec);
        return (isEmpty(spec.getNodeName())
                        || spec.getNodeName().equals(node.getMetadata().getName()))
                && labels.entrySet().containsAll(selector(spec).entrySet())
                && (required == null
                        || required.getNodeSelectorTerms().stream().anyMatch(term -> matches(term, node, labels)))
                && toleratesAll(Placement.tolerations(template), node);
    }

    private static boolean toleratesAll(List<Toleration> tolerations, Node node) {
        var taints = node.getSpec() == null ? null : node.getSpec().getTaints();
        return Objects.requireNonNullElse(taints, List.<Taint>of()).stream()
                // The others only keep new pods away.
                .filter(taint -> "NoExecute".equals(taint.getEffect()))
                .allMatch(taint -> tolerations.stream().anyMatch(each -> Taints.tolerates(each, taint)));
    }

    /** All that a term asks for; one that asks for nothing is for no node. */
    private static boolean matches(NodeSelectorTerm term, Node node, Map<String, String> labels) {
        var expressions = Objects.requireNonNullElse(term.getMatchExpressions(), List.<NodeSelectorRequirement>of());
        var fields = Objects.requireNonNullElse(term.getMatchFields(), List.<NodeSelectorRequirement>of());
        var name = Map.of("metadata.name", node.getMetadata().getName());
        return !(expressions.isEmpty() && fields.isEmpty())
                && expressions.stream().allMatch(each -> holds(each, labels.get(each.getKey())))
                && fields.stream().allMatch(each -> holds(each, name.get(each.getKey())));
    }

    private static boolean holds(NodeSelectorRequirement requirement, @Nullable String value) {
        var values = Objects.requireNonNullElse(requirement.getValues(), List.<String>of());
        return switch (String.valueOf(requirement.getOperator())) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> number(value).orElse(Long.MIN_VALUE) > bound(values, Long.MAX_VALUE);
            case "Lt" -> number(value).orElse(Long.MAX_VALUE) < bound(values, Long.MIN_VALUE);
            // Whoever cannot tell takes no node for one that keeps its pod.
            default -> false;
        };
    }

    private static long bound(List<String> values, long never) {
        return values.size() == 1 ? number(values.getFirst()).orElse(never) : never;
    }

    private static OptionalLong number(@Nullable String text) {
        try {
            return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException isNone) {
            return OptionalLong.empty();
        }
    }

    private static Map<String, String> selector(PodSpec pod) {
        return Objects.requireNonNullElse(pod.getNodeSelector(), Map.of());
    }

    private static @Nullable NodeSelector required(PodSpec pod) {
        NodeAffinity nodes =
                pod.getAffinity() == null ? null : pod.getAffinity().getNodeAffinity();
        return nodes == null ? null : nodes.getRequiredDuringSchedulingIgnoredDuringExecution();
    }

    private static boolean isEmpty(@Nullable String value) {
        return value == null || value.isEmpty();
    }
}
