package dev.stowage.driver.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixSocketTest {

    private static final Duration WITHIN = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    @Test
    void aPeerThatStillWritesCanReadTheLastAnswer() throws Exception {
        try (var server = listen();
                var peer = UnixSocket.connect(directory.resolve("x.sock"))) {
            var accepted = new UnixSocket(server.accept());
            var reader = Thread.ofPlatform().start(() -> readToTheEnd(accepted));
            accepted.getOutputStream().write("answer".getBytes(UTF_8));
            var closing = Thread.ofPlatform().start(() -> close(accepted));

            assertThat(peer.getInputStream().readAllBytes()).asString(UTF_8).isEqualTo("answer");
            peer.getOutputStream().write("noted".getBytes(UTF_8));
            peer.shutdownOutput();
            assertThat(closing.join(WITHIN)).isTrue();
            assertThat(reader.join(WITHIN)).isTrue();
            assertThat(accepted.isClosed()).isTrue();
        }
    }

    @Test
    void aPeerThatNeverEndsIsNotWaitedForLong() throws Exception {
        try (var server = listen();
                var peer = UnixSocket.connect(directory.resolve("x.sock"))) {
            var accepted = new UnixSocket(server.accept());
            accepted.close();
            assertThat(accepted.isClosed()).isTrue();
            assertThatThrownBy(() -> peer.getOutputStream().write(1)).isInstanceOf(IOException.class);
            accepted.close();
        }
    }

    private ServerSocketChannel listen() throws IOException {
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(directory.resolve("x.sock")));
        return server;
    }

    private static void readToTheEnd(UnixSocket socket) {
        try {
            var _ = socket.getInputStream().readAllBytes();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private static void close(UnixSocket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }
}
