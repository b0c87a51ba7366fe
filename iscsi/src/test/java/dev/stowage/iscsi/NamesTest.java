package dev.stowage.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "array",
                "iqn.2026-01.",
                "iqn.2026-01.org.example:a,b",
                "iqn.2026-01.org.example:a b",
                "iqn.2026-01.org.example:a/../b",
                "iqn.2026-01.org.example:a\n",
                "--login"
            })
    void whatIsNoNameOfAnIscsiNodeIsRefused(String text) {
        assertThatThrownBy(() -> new Iqn(text)).isInstanceOf(StowageException.InvalidRequest.class);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1:3261, 10.0.0.1:3261",
        "10.0.0.1, 10.0.0.1:3260",
        "array.example, array.example:3260",
        "[fd00::1]:3260, [fd00::1]:3260",
        "[fd00::1], [fd00::1]:3260"
    })
    void portalsAreReadAsPeopleWriteThem(String text, String portal) {
        assertThat(Portal.parse(text)).hasToString(portal);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ":3260", "host:0", "host:65536", "host:x", "fd00::1", "-p:1", "a,b:1", "[host:1", "[]:1"})
    void whatIsNoPortalIsRefused(String text) {
        assertThatThrownBy(() -> Portal.parse(text)).isInstanceOf(StowageException.InvalidRequest.class);
    }

    @Test
    void severalPortalsAreSeparatedByCommas() {
        assertThat(Portal.parseAll("10.0.0.1:3260, [fd00::1]:3261"))
                .isEqualTo(List.of(new Portal("10.0.0.1", 3260), new Portal("fd00::1", 3261)));
    }

    @Test
    void secretsAreNotShown() {
        var unit = new IscsiUnit(
                new UnitAddress(new Iqn("iqn.2026-01.org.example:a"), 1),
                List.of(new Portal("10.0.0.1", 3260)),
                Optional.empty(),
                Optional.of(new Chap(
                        new Chap.Account("user", "hidden-1"), Optional.of(new Chap.Account("array", "hidden-2")))));
        assertThat(unit.toString()).contains("user").contains("array").doesNotContain("hidden");
        assertThatThrownBy(() -> new Chap.Account("user", "hidden secret")).hasMessageNotContaining("hidden secret");
    }

    @Test
    void aNameIsMadeOnceAndKept(@TempDir Path directory) {
        var file = directory.resolve("initiatorname.iscsi");
        var made = InitiatorName.readOrMake(file);
        assertThat(InitiatorName.readOrMake(file)).isEqualTo(made);
        assertThat(InitiatorName.readOrMake(directory.resolve("another"))).isNotEqualTo(made);
    }

    @Test
    void aNameThatTheMachineHasIsTaken(@TempDir Path directory) throws IOException {
        var file = directory.resolve("initiatorname.iscsi");
        Files.writeString(file, "## made at installation\nInitiatorName=iqn.1993-08.org.debian:01:abc\n");
        assertThat(InitiatorName.readOrMake(file)).isEqualTo(new Iqn("iqn.1993-08.org.debian:01:abc"));
    }
}
