package dev.stowage.driver.transport;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One connection over a unix socket in the shape of a {@link Socket}, which is what gRPC asks for.
 *
 * <p>Closing says goodbye first. gRPC's server closes a connection once the last answer is written, while the peer may still be
 * acknowledging that the server stops. A peer whose write fails gives up the whole connection, with the answer that lies unread
 * before it: a call that was done would look failed. So the peer is read until it has ended too, within a bound.
 */
final class UnixSocket extends Socket {

    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final SocketChannel channel;
    private final CountDownLatch peerEnded = new CountDownLatch(1);

    UnixSocket(SocketChannel channel) {
        this.channel = channel;
    }

    static UnixSocket connect(Path path) throws IOException {
        var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(path));
            return new UnixSocket(channel);
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
    }

    @Override
    public InputStream getInputStream() {
        return new Input(Channels.newInputStream(channel));
    }

    @Override
    public OutputStream getOutputStream() {
        return new Output(Channels.newOutputStream(channel));
    }

    @Override
    public void shutdownInput() throws IOException {
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        try {
            channel.shutdownOutput();
            var _ = peerEnded.await(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ClosedChannelException closedAlready) {
            // Whoever closed it has said goodbye.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            channel.close();
        }
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isBound() {
        return true;
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return address();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return address();
    }

    private SocketAddress address() {
        try {
            return channel.getRemoteAddress();
        } catch (IOException closed) {
            return UnixDomainSocketAddress.of("");
        }
    }

    // A unix socket delays nothing, keeps nothing alive and needs no timeout; gRPC sets these on whatever it is given.

    @Override
    public void setTcpNoDelay(boolean on) {}

    @Override
    public boolean getTcpNoDelay() {
        return true;
    }

    @Override
    public void setKeepAlive(boolean on) {}

    @Override
    public void setSoTimeout(int milliseconds) {}

    @Override
    public int getSoTimeout() {
        return 0;
    }

    @Override
    public void setSoLinger(boolean on, int seconds) {}

    @Override
    public String toString() {
        return "unix connection " + channel;
    }

    /** Notices the peer's end, be it orderly or not. */
    private final class Input extends FilterInputStream {

        Input(InputStream stream) {
            super(stream);
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = -1;
            try {
                count = super.read(bytes, offset, length);
                return count;
            } finally {
                if (count < 0) {
                    peerEnded.countDown();
                }
            }
        }

        @Override
        public void close() throws IOException {
            UnixSocket.this.close();
        }
    }

    /** Ends with the connection's goodbye; the channel's own stream would end without. */
    private final class Output extends FilterOutputStream {

        Output(OutputStream stream) {
            super(stream);
        }

        /** At once, and not byte by byte as it is inherited. */
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            UnixSocket.this.close();
        }
    }
}
