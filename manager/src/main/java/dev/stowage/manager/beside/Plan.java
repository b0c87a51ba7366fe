package dev.stowage.manager.beside;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What is to be done so that exactly the wanted pods are there. */
final class Plan {

    private static final Set<String> ENDED = Set.of("Failed", "Succeeded");

    private Plan() {}

    sealed interface Step {
        Pod pod();
    }

    record Make(Pod pod) implements Step {}

    record Remove(Pod pod) implements Step {}

    /**
     * It goes, and another comes in its place.
     *
     * @param edits what somebody has made of it, if that is why
     */
    record Replace(Pod pod, Edits edits) implements Step {}

    /** It would be replaced, and stays because the other one could not come. */
    record Refuse(Pod pod, String why) implements Step {}

    /** It would be removed, and is not yet. */
    record Keep(Pod pod, List<String> holders) implements Step {}

    /** It ends, and the next one comes when it is gone. */
    record Await(Pod pod) implements Step {}

    /**
     * Which steps lead there.
     *
     * @param wanted by their names
     * @param refusal why a pod cannot come in the place of another. It is asked for those only that would be replaced now
     */
    static List<Step> of(
            List<Pod> present,
            Map<String, Pod> wanted,
            Placement placement,
            NodeServers.Holders holders,
            Function<Pod, Optional<String>> refusal) {
        var steps = new ArrayList<Step>();
        var there = new HashSet<String>();
        for (var pod : inOrder(present)) {
            String name = pod.getMetadata().getName();
            there.add(name);
            var wish = wanted.get(name);
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                steps.add(new Await(pod));
            } else if (hasEnded(pod)) {
                // It is of no use, whatever becomes of the next one.
                steps.add(new Remove(pod));
            } else if (wish == null || !placement.isCurrent(pod, wish)) {
                var inTheWay = holders.of(pod, wish != null);
                if (!inTheWay.isEmpty()) {
                    steps.add(new Keep(pod, inTheWay));
                } else if (wish == null) {
                    steps.add(new Remove(pod));
                } else {
                    var why = refusal.apply(wish);
                    why.ifPresent(_ -> holders.stays(pod));
                    steps.add(
                            why.isPresent()
                                    ? new Refuse(pod, why.get())
                                    : new Replace(pod, placement.edits(pod, wish)));
                }
            }
        }
        wanted.forEach((name, pod) -> {
            if (!there.contains(name)) {
                steps.add(new Make(pod));
            }
        });
        return steps;
    }

    /** So that one that was removed, and is not known to be, is the first to be so again, before any other. */
    private static List<Pod> inOrder(List<Pod> pods) {
        return pods.stream()
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .toList();
    }

    private static boolean hasEnded(Pod pod) {
        return pod.getStatus() != null
                && ENDED.contains(String.valueOf(pod.getStatus().getPhase()));
    }
}
