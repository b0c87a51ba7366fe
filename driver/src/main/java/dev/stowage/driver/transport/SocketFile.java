package dev.stowage.driver.transport;

import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file of a listening socket.
 *
 * <p>A process that dies leaves its socket file behind, and binding to it fails. Such a stale file is removed; one that somebody
 * listens on never is. At the end the file is removed only if it is still the one that was made here.
 */
final class SocketFile {

    private final Path path;
    private final @Nullable Object key;

    private SocketFile(Path path, @Nullable Object key) {
        this.path = path;
        this.key = key;
    }

    /**
     * Opens a channel that listens at the path.
     *
     * <p>The socket is made under a hidden name and linked to its own when it listens and its mode is set, so that whoever waits for
     * it to appear can connect at once. A link, unlike a rename, never replaces what somebody else put there meanwhile.
     */
    static ServerSocketChannel listen(Path path) throws IOException {
        removeIfStale(path);
        var hidden = path.resolveSibling("." + path.getFileName());
        removeIfStale(hidden);
        var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(hidden));
            try {
                Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("rw-rw----"));
                Files.createLink(path, hidden);
            } finally {
                Files.deleteIfExists(hidden);
            }
            return channel;
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
    }

    /** The file that now is at the path. */
    static SocketFile at(Path path) {
        return new SocketFile(path, keyOf(path));
    }

    /** Whether the file is still there and still the same. */
    boolean present() {
        return key != null && Objects.equals(key, keyOf(path));
    }

    void remove() throws IOException {
        if (present()) {
            Files.deleteIfExists(path);
        }
    }

    private static @Nullable Object keyOf(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
        } catch (IOException gone) {
            return null;
        }
    }

    private static void removeIfStale(Path path) throws IOException {
        var directory = Objects.requireNonNull(path.getParent(), "an absolute path to a file has a parent");
        if (!Files.isDirectory(directory)) {
            throw StowageException.notPossible(
                    "socket %s: the directory %s does not exist; create it, or mount it into this container",
                    path, directory);
        }
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isOther()) {
            throw StowageException.notPossible(
                    "socket %s: something that is not a socket is in the way; move it or choose another path", path);
        }
        try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.connect(UnixDomainSocketAddress.of(path));
            throw StowageException.notPossible(
                    "socket %s: another process listens on it; stop that process or choose another path", path);
        } catch (ConnectException refused) {
            Files.deleteIfExists(path);
        }
    }
}
