package dev.stowage.array.nfs;

import java.nio.file.Path;
import java.util.List;

/**
 * What NFS clients see. A share is a filesystem of its own in the volume's file, which is mounted only while it has clients.
 *
 * <p>Calls about one volume do not overlap; calls about different volumes may. Every method may come again.
 */
public interface Shares extends AutoCloseable {

    /** Refuses, with the reason, where files cannot be served. */
    void requireAvailable();

    /** What clients mount: the address and the path. */
    String path(String name);

    /** Makes the filesystem of a new volume in its file. */
    void format(Path image);

    /** Makes a copy of a volume's file a filesystem in its own right, which can be served beside the original. */
    void renewIdentity(String id, Path image);

    /** Serves these and nothing else, whatever was served before. */
    void restore(List<Share> shares);

    /**
     * Serves a share to its clients and to no others.
     *
     * @param certain whether to return only when nothing is in flight any more of those who are no clients from now on. All clients
     *     of all shares are interrupted for that
     */
    void serve(Share share, boolean certain);

    /** Serves a share to nobody. When this returns, nothing that a client sent is in flight any more and nothing will be. */
    void withdraw(String id);

    /** Lets a share that is served have what its file has become larger by. */
    void grow(String id);

    /** Does something with the file while nothing is written to it and what is in it is consistent. */
    void whileStill(String id, Runnable action);

    /** Takes no more part in what is served, which goes on. */
    void abandon();

    /** Stops serving. Nothing reaches a volume afterwards. */
    @Override
    void close();
}
