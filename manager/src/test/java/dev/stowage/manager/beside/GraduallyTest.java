package dev.stowage.manager.beside;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which of the pods that are to be replaced are in one pass. */
class GraduallyTest {

    private final List<Pod> present = new ArrayList<>();
    private final TreeMap<String, Pod> wanted = new TreeMap<>();

    private static Pod pod(int node, boolean ready) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("pod-" + node)
                .addToAnnotations(Placement.NODE, "node-" + node)
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .endCondition()
                .endStatus()
                .build();
    }

    private void want(int first, int last) {
        for (int node = first; node <= last; node++) {
            wanted.put("pod-" + node, pod(node, true));
        }
    }

    private void have(int first, int last, boolean ready) {
        for (int node = first; node <= last; node++) {
            present.add(pod(node, ready));
        }
    }

    /** @param down nodes that are not ready */
    private List<String> replaced(NodeServers.Holders others, String... down) {
        var gradually = new Gradually(present, wanted, node -> !Set.of(down).contains(node), others);
        return present.stream()
                .filter(pod -> gradually
                        .of(pod, wanted.containsKey(pod.getMetadata().getName()))
                        .isEmpty())
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    private List<String> replaced(String... down) {
        return replaced(NodeServers.Holders.NOBODY, down);
    }

    @Test
    void ofFewItIsOneAndOfManyATenth() {
        want(1, 3);
        have(1, 3, true);
        assertThat(replaced()).containsExactly("pod-1");

        want(4, 35);
        have(4, 35, true);
        assertThat(replaced()).containsExactly("pod-1", "pod-2", "pod-3");
    }

    @Test
    void whileOneIsAwayNoOtherFollows() {
        want(1, 3);
        have(2, 3, true);

        assertThat(replaced()).isEmpty();
    }

    @Test
    void oneThatIsNotReadyIsReplacedAtOnceAndNoOtherBesideIt() {
        want(1, 3);
        have(1, 1, false);
        have(2, 3, true);

        assertThat(replaced()).containsExactly("pod-1");
    }

    @Test
    void oneOnANodeThatIsNotReadyIsWaitedForByNobody() {
        want(1, 3);
        have(2, 3, true);

        assertThat(replaced("node-1")).containsExactly("pod-2");
    }

    @Test
    void oneThatIsNotToComeAgainWaitsForNoTurn() {
        want(1, 1);
        have(1, 4, true);

        assertThat(replaced()).containsExactly("pod-1", "pod-2", "pod-3", "pod-4");
    }

    @Test
    void oneThatSomebodyElseHoldsTakesNoTurnAndIsHeldAlsoWhenItIsNotReady() {
        want(1, 3);
        have(1, 2, true);
        have(3, 3, false);

        assertThat(replaced((pod, again) -> List.of("a volume"), "node-3")).isEmpty();
        assertThat(replaced(
                        (pod, again) -> pod.getMetadata().getName().equals("pod-1") ? List.of("a volume") : List.of(),
                        "node-3"))
                .containsExactly("pod-2", "pod-3");
    }

    @Test
    void theTurnOfOneThatStaysIsAnothers() {
        want(1, 3);
        have(1, 3, true);
        var gradually = new Gradually(present, wanted, node -> true, NodeServers.Holders.NOBODY);
        assertThat(gradually.of(present.get(0), true)).isEmpty();

        gradually.stays(present.get(0));

        assertThat(gradually.of(present.get(1), true)).isEmpty();
        assertThat(gradually.of(present.get(2), true)).isEqualTo(Gradually.OTHERS);
    }

    @Test
    void oneThatTookNoTurnHasNoneToGive() {
        want(1, 3);
        have(1, 1, false);
        have(2, 3, true);
        var gradually = new Gradually(present, wanted, node -> !node.equals("node-1"), NodeServers.Holders.NOBODY);
        assertThat(gradually.of(present.get(0), true)).isEmpty();

        gradually.stays(present.get(0));

        assertThat(gradually.of(present.get(1), true)).isEmpty();
        assertThat(gradually.of(present.get(2), true)).isEqualTo(Gradually.OTHERS);
    }
}
