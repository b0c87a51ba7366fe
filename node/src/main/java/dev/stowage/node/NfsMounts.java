package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Mounts what servers export. The kernel does that without a program, if it is told what such a program would find out: the server's
 * address, and which version both understand.
 */
final class NfsMounts {

    private static final Path KNOWN = Path.of("/proc/filesystems");
    private static final int PORT = 2049;
    private static final int PATIENCE_MILLIS = 5000;

    /** The newest first. */
    private static final List<String> VERSIONS = List.of("vers=4.2", "vers=4.1", "vers=4.0");

    private final NodeId node;

    NfsMounts(NodeId node) {
        this.node = node;
    }

    void mount(VolumeId volume, ExportWish wish, Path path) {
        requireClient(volume, path);
        var address = address(volume, wish.export());
        requireAnswer(volume, wish, address);
        boolean chosen = value(wish, "vers=").or(() -> value(wish, "nfsvers=")).isPresent();
        var versions = (chosen ? List.of("") : VERSIONS).iterator();
        while (true) {
            var options = new ArrayList<>(wish.options().values());
            options.add(versions.next());
            options.add("addr=" + address.getHostAddress());
            try {
                Mounts.mount(Path.of(wish.export().source()), path, ExportWish.TYPE, options);
                return;
            } catch (SyscallException failure) {
                if (!failure.is(Errno.EPROTONOSUPPORT) || !versions.hasNext()) {
                    throw refused(volume, wish, failure);
                }
            }
        }
    }

    private StowageException refused(VolumeId volume, ExportWish wish, SyscallException refused) {
        var options = String.join(",", wish.options().values());
        if (refused.is(Errno.ENOENT) || refused.is(Errno.EACCES) || refused.is(Errno.EPERM)) {
            return StowageException.unavailable(
                    refused,
                    "volume %s: the server does not let node %s mount %s (%s). Does the server know the node by the address "
                            + "that it is seen with?",
                    volume,
                    node,
                    wish.export(),
                    Text.reason(refused));
        }
        if (refused.is(Errno.EINVAL) || refused.is(Errno.EPROTONOSUPPORT)) {
            return StowageException.notPossible(
                    "volume %s: the kernel of node %s refuses to mount %s with options %s: %s. Check the mount options, and whether the "
                            + "server speaks that version of NFS",
                    volume, node, wish.export(), options, Text.reason(refused));
        }
        return StowageException.unavailable(
                refused, "volume %s: node %s cannot mount %s: %s", volume, node, wish.export(), Text.reason(refused));
    }

    /** A client that is a module not loaded yet is loaded when it is asked for, and then misses the address that it was not told. */
    private void requireClient(VolumeId volume, Path path) {
        if (known()) {
            return;
        }
        try {
            Mounts.mount(Path.of("none"), path, "nfs4", List.of());
        } catch (SyscallException refused) {
            if (refused.is(Errno.ENODEV)) {
                throw StowageException.notPossible(
                        "volume %s is a NAS volume, and node %s cannot mount it: its kernel has no NFS client. Use nodes whose kernel "
                                + "has one (module nfsv4), or volumes that are devices (volumeType: Block)",
                        volume, node);
            }
        }
    }

    private static boolean known() {
        try (var lines = Files.lines(KNOWN)) {
            return lines.anyMatch("nodev\tnfs4"::equals);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + KNOWN, unreadable);
        }
    }

    private static InetAddress address(VolumeId volume, Export export) {
        try {
            return InetAddress.getByName(export.host());
        } catch (UnknownHostException unknown) {
            throw StowageException.unavailable(
                    unknown, "volume %s: the name of the server of %s is not known to this node", volume, export);
        }
    }

    /** A mount would wait for minutes. */
    private void requireAnswer(VolumeId volume, ExportWish wish, InetAddress address) {
        int port = value(wish, "port=")
                .filter(text -> text.matches("[0-9]{1,4}|[1-5][0-9]{4}"))
                .map(Integer::parseInt)
                .orElse(PORT);
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), PATIENCE_MILLIS);
        } catch (IOException silent) {
            throw StowageException.unavailable(
                    silent,
                    "volume %s: the NFS server of %s does not answer node %s at port %d: %s. Check the array and the network between "
                            + "them",
                    volume,
                    wish.export(),
                    node,
                    port,
                    Text.reason(silent));
        }
    }

    private static Optional<String> value(ExportWish wish, String name) {
        return wish.options().values().stream()
                .filter(option -> option.startsWith(name))
                .map(option -> option.substring(name.length()))
                .reduce((earlier, later) -> later);
    }
}
