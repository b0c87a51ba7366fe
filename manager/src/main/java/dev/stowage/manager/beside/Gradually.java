package dev.stowage.manager.beside;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Pods that are to be replaced are not all replaced at once: at most a tenth of them is away at a time, or one. So a template that does not work
 * is not brought to all nodes.
 */
public final class Gradually implements NodeServers.Holders {

    static final List<String> OTHERS = List.of("others are being replaced");

    private final List<Pod> present;
    private final Map<String, Pod> wanted;
    private final Predicate<String> nodeReady;
    private final NodeServers.Holders others;
    private OptionalInt room = OptionalInt.empty();

    /**
     * For one pass.
     *
     * @param nodeReady asks whether a node is. Of one that is not nobody expects anything, so nobody waits for it
     * @param others who is in the way as well
     */
    public Gradually(
            List<Pod> present, Map<String, Pod> wanted, Predicate<String> nodeReady, NodeServers.Holders others) {
        this.present = present;
        this.wanted = wanted;
        this.nodeReady = nodeReady;
        this.others = others;
    }

    @Override
    public List<String> of(Pod pod, boolean again) {
        var inTheWay = others.of(pod, again);
        // One that is of no use already makes nothing worse.
        if (!inTheWay.isEmpty() || !again || !ReadyPods.ready(pod)) {
            return inTheWay;
        }
        int left = room.orElseGet(() -> Math.max(1, wanted.size() / 10) - away());
        room = OptionalInt.of(left - 1);
        return left > 0 ? List.of() : OTHERS;
    }

    /** Its turn is another's. */
    @Override
    public void stays(Pod pod) {
        if (ReadyPods.ready(pod)) {
            room = OptionalInt.of(room.orElse(0) + 1);
        }
    }

    private int away() {
        var ready = present.stream()
                .filter(ReadyPods::ready)
                .map(pod -> pod.getMetadata().getName())
                .collect(Collectors.toSet());
        return (int) wanted.entrySet().stream()
                .filter(each -> !ready.contains(each.getKey()))
                .filter(each ->
                        Placement.node(each.getValue()).filter(nodeReady).isPresent())
                .count();
    }
}
