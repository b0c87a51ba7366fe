package dev.stowage.manager.beside;

import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Difference;
import dev.stowage.manager.apply.Restored;
import dev.stowage.manager.apply.Writers;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What somebody has made of a pod since it was made.
 *
 * <p>Of the spec of one that is there, the API server lets images, further tolerations and the deadline be changed, and nothing else. Whoever stands between us
 * and the API server may have made something else of our wish in the first place, as mirrors of registries do, and would do so again. So of the spec
 * only what others wrote later counts.
 *
 * @param changes how it differs from what was asked for
 * @param by who made it so, as far as the API server knows
 */
record Edits(List<Difference> changes, Optional<String> by) {

    private static final String SPEC = "f:spec";
    static final Edits NONE = new Edits(List.of(), Optional.empty());

    /** @param manager by which name the API server knows us */
    static Edits of(Pod pod, Pod wished, KubernetesSerialization serialization, String manager) {
        var others = Writers.others(pod, manager).stream()
                .filter(entry -> entry.getSubresource() == null)
                .toList();
        var ofSpec = others.stream().filter(entry -> wrote(entry, SPEC)).findFirst();
        var before = new HashMap<String, Object>(Map.of("metadata", labels(pod, wished)));
        var after = new HashMap<String, Object>(Map.of("metadata", labels(wished, wished)));
        if (ofSpec.isPresent()) {
            before.put("spec", mutable(pod, serialization));
            after.put("spec", mutable(wished, serialization));
        }
        var changes = Difference.between(before, after);
        return changes.isEmpty()
                ? NONE
                : new Edits(
                        changes, ofSpec.or(() -> others.stream().findFirst()).map(Writers::named));
    }

    /** What is told of it. */
    Restored restored(Pod pod) {
        return new Restored(
                pod.getKind(),
                Adoption.named(pod),
                by.orElse(null),
                changes.stream().map(Difference::toString).toList());
    }

    private static boolean wrote(ManagedFieldsEntry entry, String field) {
        return entry.getFieldsV1() != null
                && entry.getFieldsV1().getAdditionalProperties().containsKey(field);
    }

    /** By its labels it is found, so somebody who changes one of them makes it another. Those that others add are theirs. */
    private static Map<String, Object> labels(Pod pod, Pod wished) {
        var labels = new TreeMap<>(Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of()));
        labels.keySet()
                .retainAll(Objects.requireNonNullElse(wished.getMetadata().getLabels(), Map.<String, String>of())
                        .keySet());
        return Map.of("labels", labels);
    }

    private static Map<String, Object> mutable(Pod pod, KubernetesSerialization serialization) {
        var spec = pod.getSpec();
        var fields = new HashMap<String, Object>();
        fields.put("containers", images(spec.getContainers()));
        fields.put("initContainers", images(spec.getInitContainers()));
        fields.put(
                "tolerations",
                serialization.convertValue(Objects.requireNonNullElse(spec.getTolerations(), List.of()), List.class));
        fields.put("activeDeadlineSeconds", spec.getActiveDeadlineSeconds());
        return fields;
    }

    private static List<Map<String, String>> images(List<Container> containers) {
        return Objects.requireNonNullElse(containers, List.<Container>of()).stream()
                .map(container -> Map.of(
                        "name", container.getName(), "image", Objects.requireNonNullElse(container.getImage(), "")))
                .toList();
    }
}
