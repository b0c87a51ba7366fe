package dev.stowage.core.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.Busy;
import dev.stowage.core.lane.Lanes.Wish;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LanesTest {

    private static final Wish VOLUME = Wish.exclusive("volume", "v1");
    private static final Wish OTHER = Wish.exclusive("volume", "v2");

    private final Lanes lanes = new Lanes(Duration.ZERO);

    @Test
    void aSecondOperationOnTheSameVolumeIsToldToComeBackAndByWhom() {
        try (var held = lanes.enter("NodeStageVolume", List.of(VOLUME))) {
            assertThatThrownBy(() -> lanes.enter("DeleteVolume", List.of(VOLUME)))
                    .isInstanceOf(Busy.class)
                    .hasMessageContaining("volume v1")
                    .hasMessageContaining("NodeStageVolume");
        }
        assertThatCode(() -> lanes.enter("DeleteVolume", List.of(VOLUME)).close())
                .doesNotThrowAnyException();
    }

    @Test
    void otherVolumesDoNotNotice() {
        try (var held = lanes.enter("a", List.of(VOLUME));
                var other = lanes.enter("b", List.of(OTHER))) {
            assertThat(lanes.underWay()).hasSize(2);
        }
        assertThat(lanes.underWay()).isEmpty();
    }

    @Test
    void allLanesOrNone() {
        try (var held = lanes.enter("a", List.of(OTHER))) {
            assertThatThrownBy(() -> lanes.enter("b", List.of(VOLUME, OTHER))).isInstanceOf(Busy.class);
            assertThatCode(() -> lanes.enter("c", List.of(VOLUME)).close()).doesNotThrowAnyException();
        }
    }

    @Test
    void whoDoesNotWantToWaitEntersOnlyWhatIsFree() {
        var unhurried = new Lanes(Duration.ofDays(1));
        try (var held = unhurried.enter("a", List.of(VOLUME))) {
            assertThat(unhurried.enterIfFree("b", List.of(VOLUME, OTHER))).isEmpty();
        }
        try (var held = unhurried.enterIfFree("b", List.of(VOLUME, OTHER)).orElseThrow()) {
            assertThat(unhurried.underWay()).hasSize(2);
        }
        assertThat(unhurried.underWay()).isEmpty();
    }

    @Test
    void readersShareALaneAndKeepWritersOut() {
        var reading = Wish.shared("snapshot", "s1");
        var writing = Wish.exclusive("snapshot", "s1");
        try (var one = lanes.enter("restore", List.of(reading))) {
            try (var two = lanes.enter("restore", List.of(reading))) {
                assertThatThrownBy(() -> lanes.enter("delete", List.of(writing)))
                        .isInstanceOf(Busy.class);
            }
            assertThatThrownBy(() -> lanes.enter("delete", List.of(writing))).isInstanceOf(Busy.class);
        }
        try (var delete = lanes.enter("delete", List.of(writing))) {
            assertThatThrownBy(() -> lanes.enter("restore", List.of(reading))).isInstanceOf(Busy.class);
        }
    }

    @Test
    void anOperationThatNamesAVolumeTwiceDoesNotMeetItself() {
        lanes.enter("group", List.of(VOLUME, VOLUME, Wish.shared("volume", "v1")))
                .close();
        assertThat(lanes.underWay()).isEmpty();
    }

    @Test
    void aShortWaitIsGrantedBeforeACallerIsTurnedAway() throws InterruptedException {
        var patient = new Lanes(Duration.ofSeconds(30));
        var held = patient.enter("a", List.of(VOLUME));
        var entered = new CountDownLatch(1);
        Thread.ofPlatform().start(() -> {
            try (var mine = patient.enter("b", List.of(VOLUME))) {
                entered.countDown();
            }
        });
        assertThat(entered.await(20, TimeUnit.MILLISECONDS)).isFalse();
        held.close();
        assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void underLoadNoTwoOperationsOfAVolumeOverlap() throws InterruptedException {
        var patient = new Lanes(Duration.ofSeconds(30));
        var inside = new AtomicInteger();
        var overlaps = new AtomicInteger();
        var done = new AtomicInteger();
        try (var threads = Executors.newFixedThreadPool(16)) {
            for (int i = 0; i < 2000; i++) {
                threads.submit(() -> {
                    try (var held = patient.enter("x", List.of(VOLUME, OTHER))) {
                        if (inside.incrementAndGet() != 1) {
                            overlaps.incrementAndGet();
                        }
                        inside.decrementAndGet();
                        done.incrementAndGet();
                    }
                });
            }
        }
        assertThat(overlaps).hasValue(0);
        assertThat(done).hasValue(2000);
        assertThat(patient.underWay()).isEmpty();
    }
}
