package dev.stowage.manager.weka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValuesTest {

    @Test
    void whatIsNotGivenIsWhatTheOriginalHas() {
        var read = Values.parse("installationEnabled: true\ncontrollerTemplate: {}\n", Some.SERIALIZATION);

        assertThat(read.problems()).isEmpty();
        assertThat(read.values().installationEnabled()).isTrue();
        assertThat(read.values().namespace()).isEqualTo("weka-operator-system");
        assertThat(read.values().image()).isEqualTo("quay.io/weka.io/csi-wekafs:v2.7.2");
        assertThat(read.values().registrarImage())
                .isEqualTo("registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.13.0");
        assertThat(read.values().controllerTemplate()).isNull();
        assertThat(read.values().preventNewWorkloadOnClientContainerNotRunning())
                .isTrue();
        assertThat(read.values().keepNodeServerUntilUnmounted()).isFalse();
    }

    @Test
    void whatIsNotGivenIsWhatTheChartSays() throws IOException {
        assertThat(Some.values(Some.ofTheChart())).isEqualTo(Some.values(Map.of()));
        assertThat(Some.ofTheChart().keySet())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Values.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "instalationEnabled: true | csi.instalationEnabled",
                "controllerReplicas: 0 | csi.controllerReplicas",
                "controllerReplicas: many | many",
                "installationEnabled: perhaps | perhaps",
                "nodeTemplate: {spec: text} | text",
                "namespace: '' | csi.namespace",
                "- a list | array",
                "image: a: b | mapping values"
            })
    void whatMakesNoSenseIsTold(String text, String told) {
        assertThat(Values.parse(text, Some.SERIALIZATION).problems())
                .singleElement()
                .asString()
                .containsIgnoringCase(told);
    }
}
