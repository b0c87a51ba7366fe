package dev.stowage.sidecar.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlagSetTest {

    private final FlagSet flags = FlagSet.of(List.of(
            Flag.of("csi-address", Flag.Kind.TEXT, "/run/csi/socket", "A socket."),
            Flag.of("leader-election", Flag.Kind.SWITCH, "false", "A switch."),
            Flag.of("timeout", Flag.Kind.DURATION, "15s", "A time."),
            Flag.of("v", Flag.Kind.INTEGER, "0", "A number."),
            Flag.of("labels", Flag.Kind.LABELS, "", "Labels.")));

    @Test
    void oneDashOrTwoAndAValueWithOrWithoutAnEqualsSignMeanTheSame() {
        for (var line : List.of(
                List.of("-csi-address=/x", "-timeout", "1m"),
                List.of("--csi-address=/x", "--timeout=1m"),
                List.of("--csi-address", "/x", "-timeout=60s"))) {
            var read = flags.parse(line);
            assertThat(read.text("csi-address")).isEqualTo("/x");
            assertThat(read.duration("timeout")).isEqualTo(Duration.ofMinutes(1));
        }
    }

    @Test
    void aSwitchNeedsNoValueAndTakesOneOnlyAfterAnEqualsSign() {
        assertThat(flags.parse(List.of("-leader-election", "--v=5")).isOn("leader-election"))
                .isTrue();
        assertThat(flags.parse(List.of("--leader-election=F")).isOn("leader-election"))
                .isFalse();
        assertThat(flags.parse(List.of("--leader-election=1")).isOn("leader-election"))
                .isTrue();
        assertThatThrownBy(() -> flags.parse(List.of("--leader-election", "true")))
                .isInstanceOf(StowageException.InvalidRequest.class)
                .hasMessageContaining("equals sign");
    }

    @Test
    void whatIsNotGivenHasItsDefaultAndTheLastOfSeveralCounts() {
        var read = flags.parse(List.of("-v=1", "-v", "3"));
        assertThat(read.integer("v")).isEqualTo(3);
        assertThat(read.text("csi-address")).isEqualTo("/run/csi/socket");
        assertThat(read.isGiven("v")).isTrue();
        assertThat(read.isGiven("timeout")).isFalse();
    }

    @Test
    void aValueMayHoldAnEqualsSignAndBeEmpty() {
        assertThat(flags.parse(List.of("--csi-address=a=b")).text("csi-address"))
                .isEqualTo("a=b");
        assertThat(flags.parse(List.of("--csi-address=")).optional("csi-address"))
                .isEmpty();
    }

    @Test
    void labelsAreKeysAndValues() {
        assertThat(flags.parse(List.of("--labels=a:1,b:2")).labels("labels")).isEqualTo(Map.of("a", "1", "b", "2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--unknown=1",
                "-timeout=fast",
                "-timeout=10",
                "-v=x",
                "-labels=a",
                "-timeout",
                "loose",
                "--",
                "-"
            })
    void whatDoesNotFitIsRefused(String argument) {
        assertThatThrownBy(() -> flags.parse(List.of(argument))).isInstanceOf(StowageException.InvalidRequest.class);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "300ms,300", "1m30s,90000", "1.5h,5400000", ".5s,500", "1h0m1s,3601000", "2000us,2"})
    void durationsReadAsGoReadsThem(String text, long millis) {
        assertThat(flags.parse(List.of("-timeout=" + text)).duration("timeout")).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void helpIsAskedForInEveryWay() {
        for (var argument : List.of("-h", "--help", "-help")) {
            assertThat(FlagSet.asksForHelp(List.of("-v=3", argument))).isTrue();
        }
        assertThat(FlagSet.asksForHelp(List.of("-v=3", "help"))).isFalse();
        assertThat(flags.help()).contains("-csi-address").contains("(default 15s)");
    }
}
