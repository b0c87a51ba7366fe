package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.array.misbehave.Misbehaviour;
import dev.stowage.array.testing.ArrayUnderTest;
import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An array that goes wrong does so as it was told, and in no other way. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MisbehaveTest {

    private static final Map<String, String> WISH = Map.of("name", "wish", "capacity", "16M", "block", "YES");

    private ArrayUnderTest array;

    @BeforeAll
    void start() throws IOException {
        array = new ArrayUnderTest();
    }

    @AfterAll
    void stop() throws IOException {
        array.close();
    }

    @BeforeEach
    void behave() {
        array.misbehave("");
        array.api()
                .get("/volumes.json")
                .done()
                .list("volumes")
                .forEach(volume -> array.api()
                        .delete("/volumes/" + volume.get("name") + ".json")
                        .done());
    }

    @Test
    void failingDoesNothingAndOnlyAsOftenAsItWasTold() {
        array.misbehave("fail 11099 on POST /api/volumes* times 1");

        assertThat(array.api().post("/volumes.json", WISH).status()).isEqualTo(11099);
        assertThat(volumes()).isZero();
        array.api().post("/volumes.json", WISH).done();
    }

    @Test
    void droppingAfterwardsHasDoneIt() {
        array.misbehave("drop-after on POST *");

        assertThatThrownBy(() -> array.api().post("/volumes.json", WISH)).isInstanceOf(UncheckedIOException.class);
        assertThat(volumes()).isEqualTo(1);
    }

    @Test
    void droppingBeforeHasNotDoneIt() {
        array.misbehave("drop on POST *");

        assertThatThrownBy(() -> array.api().post("/volumes.json", WISH)).isInstanceOf(UncheckedIOException.class);
        assertThat(volumes()).isZero();
    }

    @Test
    void lyingHasNotDoneIt() {
        array.misbehave("lie on POST *");

        assertThat(array.api().post("/volumes.json", WISH).status()).isZero();
        assertThat(volumes()).isZero();
    }

    @Test
    void whatIsDoneLaterIsSaidToBeUnderWayAndIsDone() throws InterruptedException {
        array.misbehave("later 50ms on POST *");

        assertThat(array.api().post("/volumes.json", WISH).status()).isBetween(0x40000000L, 0x80000000L);
        long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (volumes() == 0) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(10);
        }
    }

    @Test
    void aFullPoolSaysSoAndRefuses() {
        array.misbehave("full");

        assertThat(array.api().get("/pools.json").list("pools").getFirst().get("mode"))
                .isEqualTo("emergency");
        assertThat(array.api().post("/volumes.json", WISH).message()).contains("left");
    }

    @Test
    void aRuleThatCannotBeReadIsRefusedWithAnExample() {
        assertThatThrownBy(() -> Misbehaviour.of("explode"))
                .isInstanceOf(StowageException.InvalidRequest.class)
                .hasMessageContaining("explode");
        assertThatThrownBy(() -> Misbehaviour.of("delay")).hasMessageContaining("number");
        assertThatThrownBy(() -> Misbehaviour.of("drop at lunch")).hasMessageContaining("for example");
    }

    private int volumes() {
        return array.api().get("/volumes.json").done().list("volumes").size();
    }
}
