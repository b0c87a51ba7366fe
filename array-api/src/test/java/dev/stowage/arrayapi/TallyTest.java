package dev.stowage.arrayapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.arrayapi.ArrayException.Cause;
import dev.stowage.arrayapi.ArrayException.Refused;
import dev.stowage.arrayapi.ArrayException.Unreachable;
import dev.stowage.arrayapi.Ending.Outcome;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TallyTest {

    private final Tally tally = new Tally();

    @Test
    void callsAboutDifferentObjectsAreCountedTogether() {
        assertThat(Tally.call("GET", "/volumes", Set.of("start"))).isEqualTo("GET /volumes");
        assertThat(Tally.call("GET", "/volumes", Set.of("start", "display_name")))
                .isEqualTo("GET /volumes?display_name");
        assertThat(Tally.call("GET", "/volumes/volume-00000001", Set.of())).isEqualTo("GET /volumes/*");
        assertThat(Tally.call("POST", "/servers/srv-00000001/volumes", Set.of()))
                .isEqualTo("POST /servers/*/volumes");
    }

    @Test
    void everyCallIsCountedByHowItEnded() {
        assertThat(tally.count("GET /pools", () -> "done")).isEqualTo("done");
        assertThat(tally.count("GET /pools", () -> "done")).isEqualTo("done");
        assertThatThrownBy(() -> tally.count("GET /pools", () -> {
                    throw new Refused(11003, "in use");
                }))
                .isInstanceOf(Refused.class);
        assertThatThrownBy(() -> tally.count("GET /pools", () -> {
                    throw new Unreachable(Cause.NETWORK, "no answer", null);
                }))
                .isInstanceOf(Unreachable.class);
        assertThatThrownBy(() -> tally.count("GET /pools", () -> {
                    throw new Unreachable(Cause.LEFT_ALONE, "left alone", null);
                }))
                .isInstanceOf(Unreachable.class);

        assertThat(tally.counts())
                .isEqualTo(Map.of(
                        new Ending("GET /pools", Outcome.DONE), 2L,
                        new Ending("GET /pools", Outcome.REFUSED), 1L,
                        new Ending("GET /pools", Outcome.FAILED), 1L,
                        new Ending("GET /pools", Outcome.NOT_ASKED), 1L));
    }
}
