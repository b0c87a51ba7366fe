package dev.stowage.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {

    @Test
    void theMedianOfAnOddNumberIsTheOneInTheMiddleWhateverTheOrder() {
        assertThat(millis(9, 1, 5).median()).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void theMedianOfAnEvenNumberLiesBetweenTheTwoInTheMiddle() {
        assertThat(millis(1, 4, 2, 100).median()).isEqualTo(Duration.ofMillis(3));
    }

    @Test
    void ninetyFiveOfAHundredDoNotExceedTheP95() {
        var statistics = millis(IntStream.rangeClosed(1, 100).toArray());

        assertThat(statistics.p95()).isEqualTo(Duration.ofMillis(95));
        assertThat(statistics.least()).isEqualTo(Duration.ofMillis(1));
        assertThat(statistics.most()).isEqualTo(Duration.ofMillis(100));
        assertThat(statistics.count()).isEqualTo(100);
    }

    @Test
    void theP95OfFewIsTheGreatest() {
        assertThat(millis(3, 1, 2).p95()).isEqualTo(Duration.ofMillis(3));
        assertThat(millis(7).p95()).isEqualTo(Duration.ofMillis(7));
    }

    @Test
    void halfTheTimeIsARatioOfOneHalf() {
        assertThat(millis(5, 5).ratioTo(millis(10))).isEqualTo(0.5);
    }

    @Test
    void nothingCannotBeSummarized() {
        assertThatThrownBy(() -> Statistics.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private static Statistics millis(int... milliseconds) {
        return Statistics.of(
                IntStream.of(milliseconds).mapToObj(Duration::ofMillis).toList());
    }
}
