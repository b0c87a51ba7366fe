package dev.stowage.manager.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeConditionsTest {

    private static final String LONG_AGO = "2020-01-01T00:00:00Z";

    private static Condition condition(String type, String status, String reason, String message) {
        return new Condition(type, status, reason, message, LONG_AGO);
    }

    private static Condition find(List<Condition> among, String type) {
        return among.stream()
                .filter(each -> each.type().equals(type))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatWasFoundTwiceIsNoOtherConditionThanBefore() {
        var findings =
                Optional.of(List.of(new Finding("Iscsid", true, "it runs"), new Finding("Multipath", false, "not")));
        var first = NodeConditions.of(findings, List.of(condition("Iscsid", "True", "Found", "it runs")));

        assertThat(first)
                .extracting(Condition::type)
                .containsExactly("Iscsid", "Multipath", "KernelModules", "KubeletDirectory");
        assertThat(find(first, "Iscsid").lastTransitionTime()).isEqualTo(LONG_AGO);
        assertThat(find(first, "Multipath").status()).isEqualTo("False");
        assertThat(find(first, "KernelModules").status()).isEqualTo("Unknown");
        assertThat(NodeConditions.of(findings, first)).isEqualTo(first);
    }

    @Test
    void theTimeChangesWithTheValueAndNotWithTheWords() {
        var before = List.of(
                condition("Iscsid", "True", "Found", "it runs"), condition("Multipath", "True", "Found", "one"));
        var now = NodeConditions.of(
                Optional.of(
                        List.of(new Finding("Iscsid", false, "it ended"), new Finding("Multipath", true, "another"))),
                before);

        assertThat(find(now, "Iscsid").lastTransitionTime()).isNotEqualTo(LONG_AGO);
        assertThat(find(now, "Multipath").lastTransitionTime()).isEqualTo(LONG_AGO);
        assertThat(find(now, "Multipath").message()).isEqualTo("another");
    }

    @Test
    void aManagerThatHasJustBegunLeavesWhatTheOneBeforeItWrote() {
        var before = List.of(condition("Iscsid", "True", "Found", "it runs"));

        assertThat(NodeConditions.of(Optional.empty(), before)).isEqualTo(before);
        assertThat(NodeConditions.of(Optional.empty(), null))
                .hasSize(4)
                .allMatch(each -> each.status().equals("Unknown"));
    }
}
