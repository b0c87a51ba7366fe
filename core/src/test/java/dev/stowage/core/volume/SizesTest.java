package dev.stowage.core.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.InvalidRequest;
import dev.stowage.core.error.StowageException.OutOfRange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {

    @ParameterizedTest
    @CsvSource({"0,0", "1024,1024", "1Ki,1024", "10Gi,10737418240", "5M,5000000", "2Ti,2199023255552"})
    void sizesAreReadAsKubernetesWritesThem(String text, long bytes) {
        assertThat(Sizes.parse("size", text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5Gi", "10gb", "Gi", "9999999999999999999", "100000000Pi", "1 Gi", "1Gi\n"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> Sizes.parse("size", text)).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void aSizeIsChosenWithinTheRangeAndRoundedUpToTheUnit() {
        assertThat(SizeRange.ANY.choose(100, 1, 1000, 10)).isEqualTo(100);
        assertThat(SizeRange.atLeast(101).choose(100, 1, 1000, 10)).isEqualTo(110);
        assertThat(SizeRange.atLeast(5).choose(100, 50, 1000, 10)).isEqualTo(50);
        assertThat(new SizeRange(0, 60).choose(100, 1, 1000, 10)).isEqualTo(60);
        assertThatThrownBy(() -> new SizeRange(101, 105).choose(100, 1, 1000, 10))
                .isInstanceOf(OutOfRange.class);
        assertThatThrownBy(() -> new SizeRange(5, 20).choose(100, 50, 1000, 10)).isInstanceOf(OutOfRange.class);
        assertThatThrownBy(() -> SizeRange.atLeast(1001).choose(100, 1, 1000, 10))
                .isInstanceOf(OutOfRange.class);
        assertThatThrownBy(() -> new SizeRange(-1, 0)).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> new SizeRange(2, 1)).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void aPlaceMustMatchEverySegmentThatIsAskedFor() {
        var here = new Topology(Map.of("node", "a", "zone", "z"));
        assertThat(new TopologyRequirement(List.of(new Topology(Map.of("node", "a"))), List.of()).allows(here))
                .isTrue();
        assertThat(new TopologyRequirement(List.of(new Topology(Map.of("node", "b"))), List.of()).allows(here))
                .isFalse();
        assertThat(new TopologyRequirement(
                                List.of(
                                        new Topology(Map.of("node", "b")),
                                        new Topology(Map.of("node", "a", "zone", "z"))),
                                List.of())
                        .allows(here))
                .isTrue();
        assertThat(TopologyRequirement.ANYWHERE.allows(here)).isTrue();
    }
}
