package dev.stowage.manager.weka;

import dev.stowage.manager.beside.NodeServers;
import dev.stowage.manager.beside.Placement;
import dev.stowage.manager.beside.ReadyPods;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** At most a tenth of a driver's node servers is away at a time, or one: a template that does not work is not brought to all nodes. */
final class Gradually implements NodeServers.Holders {

    private static final List<String> OTHERS = List.of("others are being replaced");

    private final Map<String, List<String>> kept;
    private final Set<String> outdated = new TreeSet<>();
    private int room;

    /**
     * What may be done in one pass.
     *
     * @param wanted how many there are to be, on nodes that answer; the others would be waited for in vain
     * @param ready how many of these are ready
     * @param kept by the node: who is in the way of the end of one that is not wanted any more
     */
    Gradually(int wanted, int ready, Map<String, List<String>> kept) {
        this.kept = kept;
        this.room = Math.max(1, wanted / 10) - (wanted - ready);
    }

    @Override
    public List<String> of(Pod pod, boolean again) {
        String node = Placement.node(pod).orElse("");
        if (!again) {
            return kept.getOrDefault(node, List.of());
        }
        if (!ReadyPods.ready(pod) || room-- > 0) {
            return List.of();
        }
        outdated.add(node);
        return OTHERS;
    }

    /** The nodes whose servers are of a former template and have to wait. */
    Set<String> outdated() {
        return Set.copyOf(outdated);
    }
}
