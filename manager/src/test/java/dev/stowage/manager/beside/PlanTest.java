package dev.stowage.manager.beside;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which pods end, and for which it is asked before whether another could come. */
class PlanTest {

    private static final String WHY = "it makes no sense";

    private final Placement placement = new Placement(new KubernetesSerialization(), "example.com/template", "manager");
    private final List<String> asked = new ArrayList<>();

    private Pod pod(int node, String image) {
        var template = new PodTemplateSpecBuilder()
                .withNewSpec()
                .addNewContainer()
                .withName("driver")
                .withImage(image)
                .endContainer()
                .endSpec()
                .build();
        var metadata = new ObjectMetaBuilder()
                .withNamespace("drivers")
                .withName("pod-" + node)
                .addToLabels("app", "driver")
                .build();
        return placement.pod("node-" + node, metadata, template);
    }

    private static Pod ended(Pod pod) {
        return new PodBuilder(pod)
                .withNewStatus()
                .withPhase("Failed")
                .endStatus()
                .build();
    }

    private static Map<String, Pod> byName(Pod... pods) {
        var named = new TreeMap<String, Pod>();
        for (var pod : pods) {
            named.put(pod.getMetadata().getName(), pod);
        }
        return named;
    }

    private List<Plan.Step> plan(List<Pod> present, Map<String, Pod> wanted) {
        return Plan.of(present, wanted, placement, NodeServers.Holders.NOBODY, wish -> {
            asked.add(wish.getMetadata().getName());
            return Optional.of(WHY);
        });
    }

    @Test
    void onePodStaysWhenTheNextCouldNotCome() {
        var present = pod(1, "driver:1");

        assertThat(plan(List.of(present), byName(pod(1, "driver:2")))).containsExactly(new Plan.Refuse(present, WHY));
    }

    @Test
    void nobodyIsAskedAboutPodsThatStayOrGoForGoodOrHaveEndedOrAreNew() {
        var current = pod(1, "driver:1");
        var unwanted = pod(2, "driver:1");
        var failed = ended(pod(3, "driver:1"));
        var added = pod(4, "driver:2");

        assertThat(plan(List.of(current, unwanted, failed), byName(pod(1, "driver:1"), pod(3, "driver:2"), added)))
                .containsExactly(new Plan.Remove(unwanted), new Plan.Remove(failed), new Plan.Make(added));
        assertThat(asked).isEmpty();
    }

    @Test
    void nobodyIsAskedAboutAPodThatWaits() {
        var present = pod(1, "driver:1");

        var steps = Plan.of(
                List.of(present), byName(pod(1, "driver:2")), placement, (pod, again) -> List.of("a volume"), wish -> {
                    throw new AssertionError("asked for " + wish.getMetadata().getName());
                });

        assertThat(steps).containsExactly(new Plan.Keep(present, List.of("a volume")));
    }

    @Test
    void podsOfOneTemplateHaveItInCommonWhateverTheirNodes() {
        assertThat(placement.template(pod(1, "driver:1"))).isEqualTo(placement.template(pod(2, "driver:1")));
        assertThat(placement.template(pod(1, "driver:1"))).isNotEqualTo(placement.template(pod(1, "driver:2")));
    }
}
