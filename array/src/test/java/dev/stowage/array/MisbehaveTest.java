package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.array.misbehave.Misbehaviour;
import dev.stowage.array.rest.ApiClient;
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
    void delayingMakesTheCallWaitAndThenDoesIt() {
        array.misbehave("delay 20ms on POST /api/volumes*");

        array.api().post("/volumes.json", WISH).done();

        assertThat(array.pauses()).containsExactly(Duration.ofMillis(20));
        assertThat(volumes()).isEqualTo(1);
        assertThat(array.pauses()).hasSize(1);
    }

    @Test
    void throttlingGivesEachCallItsTurn() {
        array.misbehave("throttle 100");

        for (int i = 0; i < 3; i++) {
            array.api().get("/pools.json").done();
        }

        var first = array.pauses().getFirst();
        assertThat(array.pauses())
                .containsExactly(first, first.plus(Duration.ofMillis(10)), first.plus(Duration.ofMillis(20)));
    }

    @Test
    void anHttpErrorIsNoEnvelopeAndHasDoneNothing() {
        array.misbehave("http 502 on POST *");

        var answer = array.api().raw("POST", "/api/volumes.json", "name=wish&capacity=16M&block=YES");

        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(answer.body()).contains("<html>");
        assertThat(volumes()).isZero();
    }

    @Test
    void aRuleAboutNoCallsAtAllAndOneAboutAnotherPathDoNothing() {
        array.misbehave("fail 11099 at 0%; drop on DELETE /api/volumes/*; http 500 on POST /api/servers*");

        for (int i = 0; i < 20; i++) {
            array.api().get("/pools.json").done();
        }
        array.api().post("/volumes.json", WISH).done();
    }

    @Test
    void severalRulesAreFollowedTogether() {
        array.misbehave("delay 5ms; fail 11099 on POST *\nthrottle 1000 on POST *");

        assertThat(array.api().post("/volumes.json", WISH).status()).isEqualTo(11099);

        assertThat(array.pauses()).hasSize(2);
        assertThat(volumes()).isZero();
    }

    @Test
    void aDetachThatIsALieLeavesTheServerItsAccess() {
        var volume = array.volume("lied-about", "16M");
        var server = array.server("lied-about", "iqn.2026-01.test:lied-about");
        array.attach(server, volume);
        array.misbehave("lie on POST */detach.json");

        array.api()
                .post("/volumes/" + volume + "/detach.json", Map.of("servers", server))
                .done();

        assertThat(array.api().get("/volumes/" + volume + "/servers.json").list("servers"))
                .hasSize(1);
        array.misbehave("");
        array.api()
                .post("/volumes/" + volume + "/detach.json", Map.of("servers", server))
                .done();
    }

    @Test
    void theRulesCanBeReadAndReplacedWhileItRuns() {
        var changed = array.api().raw("PUT", "/misbehave", "fail 11006 times 1");

        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(array.api().raw("GET", "/misbehave", "").body()).contains("fail 11006 times 1");
        assertThat(array.api().get("/pools.json").status()).isEqualTo(11006);
        var refused = array.api().raw("PUT", "/misbehave", "explode");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("explode");
        assertThat(array.api().raw("GET", "/misbehave", "").body()).contains("fail 11006 times 1");
    }

    @Test
    void nobodyElseCanReplaceTheRules() {
        try (var other = new ApiClient(array.apiPort(), "another-token")) {
            assertThat(other.raw("PUT", "/misbehave", "drop").statusCode()).isEqualTo(403);
        }
        array.api().get("/pools.json").done();
    }

    @Test
    void aRuleThatCannotBeReadIsRefusedWithAnExample() {
        assertThatThrownBy(() -> Misbehaviour.of("explode"))
                .isInstanceOf(StowageException.InvalidRequest.class)
                .hasMessageContaining("explode");
        assertThatThrownBy(() -> Misbehaviour.of("delay")).hasMessageContaining("number");
        assertThatThrownBy(() -> Misbehaviour.of("drop at lunch")).hasMessageContaining("for example");
        assertThatThrownBy(() -> Misbehaviour.of("drop at 101%")).hasMessageContaining("100%");
        assertThatThrownBy(() -> Misbehaviour.of("full on POST *")).hasMessageContaining("alone");
    }

    private int volumes() {
        return array.api().get("/volumes.json").done().list("volumes").size();
    }
}
