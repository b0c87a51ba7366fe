package dev.stowage.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VerdictTest {

    @Test
    void theLimitItselfIsMet() {
        assertThat(Verdict.atMost("aim", "op", 1.2, 1.2, "1.20"))
                .isEqualTo(new Verdict("aim", "op", Verdict.Finding.MET, "1.20"));
    }

    @Test
    void aMissSaysByHowMuch() {
        var verdict = Verdict.atMost("aim", "op", 3, 1.5, "3.00");

        assertThat(verdict.finding()).isEqualTo(Verdict.Finding.MISSED);
        assertThat(verdict.figure()).isEqualTo("3.00; 2.00 times the limit");
    }
}
