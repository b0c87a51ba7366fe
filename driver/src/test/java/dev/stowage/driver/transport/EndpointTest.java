package dev.stowage.driver.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.InvalidRequest;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {

    @ParameterizedTest
    @ValueSource(strings = {"unix:///run/csi.sock", "unix:/run/csi.sock", "/run/csi.sock"})
    void everyUsualWayToWriteASocketIsUnderstood(String text) {
        assertThat(Endpoint.parse(text).socket()).isEqualTo(Path.of("/run/csi.sock"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "unix://",
                "csi.sock",
                "unix:csi.sock",
                "tcp://127.0.0.1:1",
                "http://x/csi.sock",
                "/",
                "/a\0b",
                "/this/is/a/path/that/is/longer/than/a/unix/socket/can/have/because/the/kernel/keeps/it/in/108/bytes/csi.sock.x"
            })
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> Endpoint.parse(text))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("endpoint");
    }
}
