package dev.stowage.driver.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** One connection over a unix socket in the shape of a {@link Socket}, which is what gRPC asks for. */
final class UnixSocket extends Socket {

    private final SocketChannel channel;

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
        return Channels.newInputStream(channel);
    }

    @Override
    public OutputStream getOutputStream() {
        return Channels.newOutputStream(channel);
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
        channel.close();
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
}
