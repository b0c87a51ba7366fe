package dev.stowage.array.iscsi;

import java.util.List;

/**
 * What initiators see. Every server record has a target of its own, whose units are the volumes attached to it, so that each is
 * granted and fenced apart from the others.
 *
 * <p>Calls about one server do not overlap; calls about different servers may. Every method may come again.
 */
public interface Target extends AutoCloseable {

    /** Makes the target serve these and nothing else, whatever it served before. */
    void restore(List<Export> exports);

    /** Makes the server's target, or brings its access rules up to date. It has no units at first. */
    void admit(Server server);

    /** Fences the server and removes its target. */
    void expel(Server server);

    /** Offers a volume to the server. */
    void add(Server server, Unit unit);

    /**
     * Takes a volume from the server. When this returns, nothing that the server sent is in flight any more and nothing that it will
     * send reaches the volume. A server without volumes has no target.
     *
     * @param force whether to end the server's connections when the volume is in use; its other volumes are interrupted then, until
     *     the initiator has connected again
     * @return false if the volume is in use and was left as it is
     */
    boolean remove(Server server, Unit unit, boolean force);

    /** Offers a volume anew because its size or the right to write changed. Open connections are interrupted for a moment. */
    void renew(Server server, Unit unit);

    /** Whether the server is connected. */
    boolean connected(Server server);

    /** Takes no more part in what is served, which goes on. */
    void abandon();

    /** Stops serving. Nothing reaches a volume afterwards. */
    @Override
    void close();
}
