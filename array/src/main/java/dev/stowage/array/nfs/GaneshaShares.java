package dev.stowage.array.nfs;

import dev.stowage.array.iscsi.Portal;
import dev.stowage.core.error.StowageException;
import dev.stowage.linux.mount.Mounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves with NFS-Ganesha, an NFS server in user space.
 *
 * <p>Taking a client from a share does not end what that client has in flight. A share that nobody is left to use is taken from the
 * server and unmounted, which succeeds when nothing is in flight any more. While others still use it, only the end of the server's
 * process is certain.
 *
 * <p>Should the server end, it is started again with what it served.
 */
public final class GaneshaShares implements Shares {

    private static final Logger log = LoggerFactory.getLogger(GaneshaShares.class);
    private static final Duration WATCH = Duration.ofSeconds(1);
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final Duration DRAIN = Duration.ofSeconds(60);
    private static final List<String> PROGRAM_DIRECTORIES =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin");

    private final Portal address;
    private final Path directory;
    private final Path mountDirectory;
    private final ShareMounts mounts;
    private final GaneshaServer server;
    private final NavigableMap<String, Share> served = new TreeMap<>();
    private volatile boolean closed;

    private GaneshaShares(Path data, Portal address) {
        this.address = address;
        this.directory = data.resolve("nfs");
        this.mountDirectory = data.resolve("shares");
        this.mounts = new ShareMounts(mountDirectory);
        this.server = new GaneshaServer(directory);
    }

    /** Nothing is started before there is something to serve. */
    public static GaneshaShares open(Path data, Portal address) {
        var shares = new GaneshaShares(data, address);
        Mounts.ensureDirectory(shares.directory);
        Mounts.ensureDirectory(shares.directory.resolve("state"));
        Mounts.ensureDirectory(shares.mountDirectory);
        Thread.ofPlatform().daemon().name("share-watch").start(shares::watch);
        return shares;
    }

    @Override
    public void requireAvailable() {
        requireProgram(PROGRAM_DIRECTORIES);
    }

    static void requireProgram(List<String> directories) {
        boolean installed =
                directories.stream().anyMatch(place -> Files.isExecutable(Path.of(place, GaneshaServer.PROGRAM)));
        if (!installed) {
            throw StowageException.notPossible(
                    "this array has block volumes only, because its machine cannot serve files: install the packages nfs-ganesha and nfs-ganesha-vfs there, or ask for a block volume with block=YES");
        }
    }

    @Override
    public String path(String name) {
        return address.host() + ":" + GaneshaSettings.pseudo(name);
    }

    @Override
    public void format(Path image) {
        mounts.format(image);
    }

    @Override
    public void renewIdentity(String id, Path image) {
        mounts.renewIdentity(id, image);
    }

    @Override
    public synchronized void restore(List<Share> shares) {
        served.clear();
        // What a crash left frozen would make everything wait that comes near it.
        mounts.all().forEach(mounts::thaw);
        for (Share share : shares) {
            mounts.mount(share.id(), share.image());
            served.put(share.id(), share);
        }
        if (!shares.isEmpty() || server.runs()) {
            server.serve(settings());
        }
        mounts.directories().stream().filter(id -> !served.containsKey(id)).forEach(this::unmount);
    }

    @Override
    public synchronized void serve(Share share, boolean certain) {
        mounts.mount(share.id(), share.image());
        var before = served.put(share.id(), share);
        try {
            if (certain) {
                server.serveAnew(settings());
            } else {
                server.serve(settings());
            }
        } catch (RuntimeException failure) {
            // Who was let in may stay so, but nobody is let in who was to be shut out.
            if (before == null) {
                served.remove(share.id());
            } else if (!certain) {
                served.put(share.id(), before);
            }
            throw failure;
        }
    }

    @Override
    public synchronized void withdraw(String id) {
        if (served.remove(id) != null && server.runs()) {
            server.serve(settings());
        }
        unmount(id);
    }

    private void unmount(String id) {
        if (mounts.unmount(id, QUIET)) {
            return;
        }
        log.warn("{} is still in use by the NFS server, which is started anew", id);
        server.stop();
        boolean free = mounts.unmount(id, DRAIN);
        if (!served.isEmpty()) {
            server.serve(settings());
        }
        if (!free) {
            throw StowageException.unavailable(
                    "%s: %s is still in use by some process of this machine after %d s; nobody is served it meanwhile",
                    id, mounts.target(id), DRAIN.toSeconds());
        }
    }

    @Override
    public synchronized void grow(String id) {
        mounts.grow(id);
    }

    @Override
    public void whileStill(String id, Runnable action) {
        if (mounts.at(id).isEmpty()) {
            action.run();
            return;
        }
        mounts.freeze(id);
        try {
            action.run();
        } finally {
            mounts.thaw(id);
        }
    }

    private String settings() {
        return GaneshaSettings.text(
                address.plainHost(), address.port(), directory.resolve("state"), mountDirectory, served.values());
    }

    private void watch() {
        while (!closed) {
            try {
                Thread.sleep(WATCH);
                revive();
            } catch (InterruptedException ended) {
                return;
            } catch (RuntimeException failure) {
                log.error("the NFS server ended and could not be started again: {}", failure.getMessage());
            }
        }
    }

    private synchronized void revive() {
        if (!closed && !served.isEmpty() && !server.runs()) {
            log.error("the NFS server ended; it is started again");
            server.serve(settings());
        }
    }

    @Override
    public synchronized void abandon() {
        closed = true;
    }

    @Override
    public synchronized void close() {
        closed = true;
        served.clear();
        server.stop();
        for (String id : mounts.all()) {
            mounts.thaw(id);
            unmount(id);
        }
    }
}
