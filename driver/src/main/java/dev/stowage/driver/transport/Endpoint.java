package dev.stowage.driver.transport;

import dev.stowage.core.error.StowageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The unix socket that a service listens on. */
public record Endpoint(Path socket) {

    /** The kernel keeps the path in 108 bytes, the last of which is a zero; a socket is made under a name one longer. */
    private static final int MAXIMUM_BYTES = 106;

    public Endpoint {
        if (!socket.isAbsolute()) {
            throw StowageException.invalid(
                    "endpoint %s: the path of a socket must be absolute, such as unix:///run/stowage/csi.sock", socket);
        }
        if (socket.getFileName() == null) {
            throw StowageException.invalid("endpoint %s names no file", socket);
        }
        if (socket.toString().getBytes(StandardCharsets.UTF_8).length > MAXIMUM_BYTES) {
            throw StowageException.invalid(
                    "endpoint %s: the path is longer than the %d bytes that a unix socket can have; use a shorter one",
                    socket, MAXIMUM_BYTES);
        }
    }

    /** Reads {@code unix:///path}, {@code unix:/path} or {@code /path}. */
    public static Endpoint parse(String text) {
        String path = text;
        if (text.startsWith("unix://")) {
            path = text.substring("unix://".length());
        } else if (text.startsWith("unix:")) {
            path = text.substring("unix:".length());
        } else if (text.contains("://")) {
            throw StowageException.invalid(
                    "endpoint %s: only unix sockets are served; use unix:///path/to/csi.sock", text);
        }
        try {
            return new Endpoint(Path.of(path));
        } catch (InvalidPathException notAPath) {
            throw StowageException.invalid("endpoint: %s", notAPath.getReason());
        }
    }

    @Override
    public String toString() {
        return "unix://" + socket;
    }
}
