package dev.stowage.arrayapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.arrayapi.ArrayException.Cause;
import dev.stowage.arrayapi.ArrayException.Refused;
import dev.stowage.arrayapi.ArrayException.Unreachable;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GateTest {
    private final AtomicLong now = new AtomicLong();
    private final Gate gate = new Gate("array-1", 2, Duration.ofMillis(50), now::get);

    @Test
    void anArrayThatFailsAgainAndAgainIsLeftAlone() {
        for (int failure = 0; failure < 3; failure++) {
            assertThatThrownBy(this::fail).hasMessage("no route");
        }

        assertThatThrownBy(() -> gate.pass(() -> "never asked")).isInstanceOfSatisfying(Unreachable.class, refused -> {
            assertThat(refused.notAsked()).isTrue();
            assertThat(refused).hasMessageContaining("array-1").hasMessageContaining("no route");
        });
    }

    @Test
    void afterThePauseOneCallLooksAndTheOthersGoOnWaiting() {
        for (int failure = 0; failure < 3; failure++) {
            assertThatThrownBy(this::fail).hasMessage("no route");
        }
        now.addAndGet(Duration.ofSeconds(1).toNanos());

        gate.pass(() -> {
            assertThatThrownBy(() -> gate.pass(() -> "another")).isInstanceOf(Unreachable.class);
            return "well again";
        });

        assertThat(gate.pass(() -> "another")).isEqualTo("another");
    }

    @Test
    void pausesGrowWhileNothingGetsBetter() {
        for (int failure = 0; failure < 3; failure++) {
            assertThatThrownBy(this::fail).hasMessage("no route");
        }
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThatThrownBy(this::fail).hasMessage("no route");
        now.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThatThrownBy(() -> gate.pass(() -> "still early")).isInstanceOf(Unreachable.class);
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(gate.pass(() -> "now")).isEqualTo("now");
    }

    @Test
    void anArrayThatSaysNoIsWell() {
        for (int refusal = 0; refusal < 10; refusal++) {
            assertThatThrownBy(() -> gate.pass(() -> {
                        throw new Refused(11003, "in use");
                    }))
                    .isInstanceOf(Refused.class);
        }
        assertThat(gate.pass(() -> "answer")).isEqualTo("answer");
    }

    @Test
    void onlySoManyCallsAreUnderWayAtOnce() throws InterruptedException {
        var entered = new CountDownLatch(2);
        var leave = new CountDownLatch(1);
        for (int caller = 0; caller < 2; caller++) {
            Thread.startVirtualThread(() -> gate.pass(() -> {
                entered.countDown();
                try {
                    leave.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
                return "";
            }));
        }
        entered.await();

        assertThatThrownBy(() -> gate.pass(() -> "a third"))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("too many calls");
        leave.countDown();
    }

    @Test
    void anArrayThatHasLeftACallWithoutAnswerForASecondIsNotPrompt() {
        assertThat(gate.prompt()).isTrue();
        gate.pass(() -> {
            assertThat(gate.underWay()).isOne();
            assertThat(gate.prompt()).isTrue();
            now.addAndGet(Duration.ofSeconds(1).toNanos());
            assertThat(gate.prompt()).isFalse();
            return "at last";
        });
        assertThat(gate.prompt()).isTrue();
        assertThat(gate.underWay()).isZero();
    }

    @Test
    void anArrayThatIsLeftAloneIsNotPromptUntilACallSucceeds() {
        for (int failure = 0; failure < 3; failure++) {
            assertThatThrownBy(this::fail).hasMessage("no route");
        }
        assertThat(gate.closed()).isTrue();
        assertThat(gate.prompt()).isFalse();
        now.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(gate.pass(() -> "well again")).isEqualTo("well again");

        assertThat(gate.closed()).isFalse();
        assertThat(gate.prompt()).isTrue();
    }

    private String fail() {
        return gate.pass(() -> {
            throw new Unreachable(Cause.NETWORK, "no route", null);
        });
    }
}
