package dev.stowage.driver.transport;

import io.grpc.ManagedChannel;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;

/** A client's connection to gRPC services on a unix socket. */
public final class CsiChannel implements AutoCloseable {

    private static final Duration END = Duration.ofSeconds(5);

    private final ManagedChannel channel;

    private CsiChannel(ManagedChannel channel) {
        this.channel = channel;
    }

    /** Connects when the first call is made. */
    public static CsiChannel to(Endpoint endpoint) {
        // The address is only there because gRPC wants one; the factory connects to the socket whatever it is.
        return new CsiChannel(OkHttpChannelBuilder.forAddress("127.0.0.1", 1)
                .usePlaintext()
                .socketFactory(new ToSocket(endpoint.socket()))
                .proxyDetector(target -> null)
                .overrideAuthority("localhost")
                .build());
    }

    /** What stubs are made from. */
    public ManagedChannel grpc() {
        return channel;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        try {
            channel.awaitTermination(END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class ToSocket extends SocketFactory {

        private final Path path;

        ToSocket(Path path) {
            this.path = path;
        }

        @Override
        public Socket createSocket() throws IOException {
            throw new SocketException("a unix socket is connected from its beginning");
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return UnixSocket.connect(path);
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
            return UnixSocket.connect(path);
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return UnixSocket.connect(path);
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
                throws IOException {
            return UnixSocket.connect(path);
        }
    }
}
