package dev.stowage.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pods the controller of DaemonSets would end because of the template. */
class NodeFitTest {

    private static PodTemplateSpec template(PodSpec spec) {
        return new PodTemplateSpec(null, spec);
    }

    private static NodeBuilder node() {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("node-1")
                .addToLabels("tier", "one")
                .addToLabels("size", "8")
                .endMetadata()
                .withNewSpec()
                .endSpec();
    }

    private static Node tainted(String key, String effect) {
        return node().editSpec().addNewTaint(effect, key, null, "yes").endSpec().build();
    }

    private static boolean keeps(PodSpec spec, Node node) {
        return NodeFit.keeps(template(spec), node);
    }

    private static PodSpec required(NodeSelectorTerm... terms) {
        return new PodSpecBuilder()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withNodeSelectorTerms(terms)
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .build();
    }

    private static NodeSelectorTerm term(String key, String operator, String... values) {
        return new NodeSelectorTermBuilder()
                .addNewMatchExpression()
                .withKey(key)
                .withOperator(operator)
                .withValues(values)
                .endMatchExpression()
                .build();
    }

    @Test
    void aTemplateThatSaysNothingIsForEveryNode() {
        assertThat(keeps(new PodSpec(), node().build())).isTrue();
    }

    @Test
    void aTemplateForOneNodeLeavesAllOthers() {
        assertThat(keeps(new PodSpecBuilder().withNodeName("node-1").build(), node().build()))
                .isTrue();
        assertThat(keeps(new PodSpecBuilder().withNodeName("node-2").build(), node().build()))
                .isFalse();
    }

    @Test
    void aNodeWithoutALabelOfTheSelectorIsLeft() {
        assertThat(keeps(new PodSpecBuilder().addToNodeSelector("tier", "one").build(), node().build()))
                .isTrue();
        assertThat(keeps(new PodSpecBuilder().addToNodeSelector("tier", "two").build(), node().build()))
                .isFalse();
    }

    @Test
    void onlyTaintsThatEndPodsCount() {
        assertThat(keeps(new PodSpec(), tainted("dedicated", "NoExecute"))).isFalse();
        assertThat(keeps(new PodSpec(), tainted("dedicated", "NoSchedule"))).isTrue();
    }

    @Test
    void whatIsToleratedEndsNoPod() {
        var tolerant = new PodSpecBuilder()
                .withTolerations(new TolerationBuilder()
                        .withKey("dedicated")
                        .withOperator("Equal")
                        .withValue("yes")
                        .build())
                .build();

        assertThat(keeps(tolerant, tainted("dedicated", "NoExecute"))).isTrue();
        assertThat(keeps(tolerant, tainted("other", "NoExecute"))).isFalse();
    }

    @Test
    void aNodeThatDoesNotAnswerKeepsThePodsOfDaemonSets() {
        assertThat(keeps(new PodSpec(), tainted("node.kubernetes.io/unreachable", "NoExecute")))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "tier, In, one, true",
        "tier, In, two, false",
        "tier, NotIn, one, false",
        "absent, NotIn, one, true",
        "size, Gt, 7, true",
        "size, Gt, 8, false",
        "size, Lt, 9, true",
        "absent, Lt, 9, false",
        "tier, Gt, 0, false",
        "tier, Whatever, one, false",
    })
    void affinityIsJudgedByTheLabels(String key, String operator, String value, boolean kept) {
        assertThat(keeps(required(term(key, operator, value)), node().build())).isEqualTo(kept);
    }

    @Test
    void presenceIsJudgedWithoutValues() {
        assertThat(keeps(required(term("tier", "Exists")), node().build())).isTrue();
        assertThat(keeps(required(term("tier", "DoesNotExist")), node().build()))
                .isFalse();
    }

    @Test
    void oneTermIsEnoughAndAnEmptyOneIsNone() {
        var empty = new NodeSelectorTerm();

        assertThat(keeps(required(empty, term("tier", "In", "one")), node().build()))
                .isTrue();
        assertThat(keeps(required(empty), node().build())).isFalse();
    }

    @Test
    void aNodeIsAlsoKnownByItsName() {
        var named = new NodeSelectorTermBuilder()
                .addNewMatchField()
                .withKey("metadata.name")
                .withOperator("In")
                .withValues("node-1")
                .endMatchField()
                .build();

        assertThat(keeps(required(named), node().build())).isTrue();
    }

    @Test
    void templatesThatDifferElsewhereAreForTheSameNodes() {
        var one = template(new PodSpecBuilder().withServiceAccountName("one").build());
        var other =
                template(new PodSpecBuilder().withServiceAccountName("other").build());

        assertThat(NodeFit.same(one, other)).isTrue();
    }
}
