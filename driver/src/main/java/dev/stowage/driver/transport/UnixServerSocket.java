package dev.stowage.driver.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/** A unix socket in the shape of a {@link ServerSocket}, which is what the gRPC server asks for. */
final class UnixServerSocket extends ServerSocket {

    private static final long PAUSE_AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(50);

    private final Path path;
    private final ServerSocketChannel channel;
    private final SocketFile file;

    private UnixServerSocket(Path path) throws IOException {
        this.path = path;
        this.channel = SocketFile.listen(path);
        this.file = SocketFile.at(path);
    }

    static UnixServerSocket listen(Path path) throws IOException {
        return new UnixServerSocket(path);
    }

    /** Hands this socket to the one server that is built for it. */
    ServerSocketFactory asFactory() {
        return new ServerSocketFactory() {
            @Override
            public ServerSocket createServerSocket() {
                return UnixServerSocket.this;
            }

            @Override
            public ServerSocket createServerSocket(int port) throws IOException {
                throw noPorts();
            }

            @Override
            public ServerSocket createServerSocket(int port, int backlog) throws IOException {
                throw noPorts();
            }

            @Override
            public ServerSocket createServerSocket(int port, int backlog, @Nullable InetAddress address)
                    throws IOException {
                throw noPorts();
            }
        };
    }

    private static SocketException noPorts() {
        return new SocketException("a unix socket has no port");
    }

    boolean filePresent() {
        return file.present();
    }

    /** It is bound from its beginning. */
    @Override
    public void bind(@Nullable SocketAddress address) {}

    @Override
    public void bind(@Nullable SocketAddress address, int backlog) {}

    /** The server never accepts again after a failure, so one that passes, such as too many open files, is waited out here. */
    @Override
    public Socket accept() throws IOException {
        while (true) {
            try {
                return new UnixSocket(channel.accept());
            } catch (ClosedChannelException closed) {
                throw closed;
            } catch (IOException passing) {
                LockSupport.parkNanos(PAUSE_AFTER_FAILURE);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.remove();
        channel.close();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isBound() {
        return true;
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return UnixDomainSocketAddress.of(path);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
