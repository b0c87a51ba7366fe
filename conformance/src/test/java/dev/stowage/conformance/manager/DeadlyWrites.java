package dev.stowage.conformance.manager;

import com.sun.net.httpserver.HttpExchange;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Stands between a manager and the real API server, and kills the manager with one of its writes: done, and not answered. */
final class DeadlyWrites implements AutoCloseable {

    private static final Set<String> READS = Set.of("GET", "HEAD");
    /** Leases are renewed all the time and change no deployment; events tell, and do nothing. */
    private static final Pattern NO_STEP = Pattern.compile(".*/(leases|events)(/.*)?$");

    private final Passage passage;
    private @Nullable Runnable death;
    private int writesToLive;

    private DeadlyWrites(Path kubeconfig) {
        this.passage = Passage.before(kubeconfig, this::survives);
    }

    /** Rewrites a kubeconfig so that it leads through here. */
    static DeadlyWrites before(Path kubeconfig) {
        return new DeadlyWrites(kubeconfig);
    }

    /** The so-many-th write from now on is the last. */
    synchronized void arm(int writes, Runnable kill) {
        writesToLive = writes;
        death = kill;
    }

    /**
     * Lets whoever was to die live.
     *
     * @return whether it is not too late
     */
    synchronized boolean spare() {
        boolean lives = death != null;
        death = null;
        return lives;
    }

    /** Whether whoever was to die has done so. */
    synchronized boolean struck() {
        return death == null;
    }

    private synchronized boolean survives(HttpExchange exchange) {
        if (death == null
                || READS.contains(exchange.getRequestMethod())
                || exchange.getRequestURI().toString().contains("dryRun")
                || NO_STEP.matcher(exchange.getRequestURI().getPath()).matches()
                || --writesToLive > 0) {
            return true;
        }
        death.run();
        death = null;
        return false;
    }

    @Override
    public void close() {
        passage.close();
    }
}
