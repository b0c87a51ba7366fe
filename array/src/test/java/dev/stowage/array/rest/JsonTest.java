package dev.stowage.array.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.array.service.Refusal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @Test
    void whatIsWrittenIsReadAgain() {
        var value = new LinkedHashMap<String, Object>();
        value.put("text", "a \"quoted\" \\ line\n\tof ünïcode \uD83D\uDE00");
        value.put("numbers", Arrays.asList(1L, -2L, 0.5, 1e300));
        value.put("truth", Arrays.asList(true, false, null));
        value.put("empty", new LinkedHashMap<>());

        assertThat(Json.read(Json.write(value))).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\"}",
                "{\"a\":}",
                "[1,]",
                "\"a",
                "tru",
                "1 2",
                "{'a':1}",
                "\"\\x\"",
                "\"\\u12\"",
                "--1"
            })
    void whatIsNotJsonIsRefused(String text) {
        assertThatThrownBy(() -> Json.read(text)).isInstanceOf(Refusal.class);
    }

    @Test
    void nestingHasAnEnd() {
        assertThatThrownBy(() -> Json.read("[".repeat(100_000))).isInstanceOf(Refusal.class);
    }
}
