package dev.stowage.driver.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.InvalidRequest;
import dev.stowage.driver.testing.TestingLog;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

class LogLevelTest {

    @ParameterizedTest
    @EnumSource
    void aLevelIsKnownByItsWord(LogLevel level) {
        assertThat(LogLevel.parse(level.word())).isEqualTo(level);
    }

    @Test
    void anUnknownWordIsRefusedWithThoseThatAreKnown() {
        assertThatThrownBy(() -> LogLevel.parse("loud"))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("trace, debug, info, warn, error");
    }

    @Test
    void theLevelChangesWhileTheProcessRuns() {
        try (var log = new TestingLog(LogLevel.INFO)) {
            var logger = LoggerFactory.getLogger("dev.stowage.test.Some");
            logger.debug("one");
            LogLevel.set(LogLevel.DEBUG);
            logger.debug("two");
            assertThat(LogLevel.current()).isEqualTo(LogLevel.DEBUG);
            LogLevel.set(LogLevel.ERROR);
            logger.warn("three");
            logger.error("four");
            assertThat(log.text()).doesNotContain("one", "three").contains("level=debug", "\"two\"", "\"four\"");
        }
    }

    @Test
    void librariesStaySilentAboutMessagesAtDebug() {
        try (var log = new TestingLog(LogLevel.TRACE)) {
            java.util.logging.Logger.getLogger("io.grpc.okhttp.Frames").fine("bytes with secrets");
            assertThat(log.text()).isEmpty();
        }
    }

    @Test
    void valuesAreQuotedWhenTheyNeedIt() {
        try (var log = new TestingLog(LogLevel.INFO)) {
            var details = new LinkedHashMap<>(Map.of("key", "two words"));
            details.put("equals", "a=b");
            details.put("empty", "");
            details.put("plain", "word");
            details.put("unicode", "Größe");
            LogFields.with(
                    details,
                    () -> LoggerFactory.getLogger("dev.stowage.test.Some").info("a \"message\""));
            assertThat(log.text())
                    .contains("logger=Some msg=\"a \\\"message\\\"\" key=\"two words\" equals=\"a=b\" empty=\"\" "
                            + "plain=word unicode=\"Größe\"\n");
        }
    }

    @Test
    void aStackTraceStaysOnItsLine() {
        try (var log = new TestingLog(LogLevel.INFO)) {
            LoggerFactory.getLogger("dev.stowage.test.Some").warn("failed", new IllegalStateException("a\nb"));
            assertThat(log.lines()).hasSize(1);
            assertThat(log.text()).contains("trace=\"java.lang.IllegalStateException: a\\nb\\n\\tat ");
        }
    }
}
