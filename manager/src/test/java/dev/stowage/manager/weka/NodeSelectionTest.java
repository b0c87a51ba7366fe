package dev.stowage.manager.weka;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSelectionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | true",
                "{nodeSelector: {disk: fast}} | true",
                "{nodeSelector: {disk: slow}} | false",
                "{nodeSelector: {disk: fast, other: one}} | false"
            })
    void labelsHaveToMatch(String spec, boolean selected) {
        assertThat(NodeSelection.of(Some.client(spec), List.of(node().build()))).hasSize(selected ? 1 : 0);
    }

    private static NodeBuilder node() {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("one")
                .addToLabels("disk", "fast")
                .endMetadata();
    }

    private static Node tainted(String key, String value, String effect) {
        return node().withNewSpec()
                .addNewTaint(effect, key, null, value)
                .endSpec()
                .build();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dedicated | gpu | NoSchedule | {} | false",
                "dedicated | gpu | NoExecute | {} | false",
                "dedicated | gpu | PreferNoSchedule | {} | true",
                "node.kubernetes.io/unschedulable | | NoSchedule | {} | true",
                "node.kubernetes.io/unreachable | | NoExecute | {} | true",
                "csidriver.storage.openshift.io/restarting | 0a1b2c | NoSchedule | {} | true",
                "dedicated | gpu | NoExecute | {tolerations: [dedicated]} | true",
                "dedicated | gpu | NoExecute | {tolerations: [other]} | false",
                "dedicated | gpu | NoExecute | {rawTolerations: [{operator: Exists}]} | true",
                "dedicated | gpu | NoExecute | {rawTolerations: [{key: dedicated, value: gpu}]} | true",
                "dedicated | gpu | NoExecute | {rawTolerations: [{key: dedicated, value: cpu}]} | false",
                "dedicated | gpu | NoExecute | {rawTolerations: [{key: dedicated, operator: Exists, effect: NoSchedule}]} | false"
            })
    void taintsHaveToBeTolerated(String key, String value, String effect, String spec, boolean selected) {
        assertThat(NodeSelection.of(Some.client(spec), List.of(tainted(key, value, effect))))
                .hasSize(selected ? 1 : 0);
    }
}
