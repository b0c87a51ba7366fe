package dev.stowage.manager.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DifferenceTest {

    private static Map<String, Object> containers(Map<?, ?>... containers) {
        return Map.of("spec", Map.of("containers", List.of(containers)));
    }

    private static final Map<String, String> DRIVER = Map.of("name", "driver", "image", "driver:1");
    private static final Map<String, String> PROBE = Map.of("name", "probe", "image", "probe:1");

    @Test
    void elementsAreFoundByTheirNames() {
        assertThat(Difference.between(
                        containers(DRIVER, PROBE), containers(DRIVER, Map.of("name", "probe", "image", "probe:2"))))
                .singleElement()
                .hasToString("spec.containers[probe].image is probe:1 instead of probe:2");
    }

    /** Pods restart when their containers are in another order. */
    @Test
    void anotherOrderIsADifference() {
        assertThat(Difference.between(containers(PROBE, DRIVER), containers(DRIVER, PROBE)))
                .singleElement()
                .hasToString("spec.containers is in the order probe, driver instead of in the order driver, probe");
    }

    @Test
    void whatIsAbsentIsTheSameAsWhatIsEmpty() {
        assertThat(Difference.between(Map.of("labels", Map.of()), Map.of("volumes", List.of())))
                .isEmpty();
    }
}
