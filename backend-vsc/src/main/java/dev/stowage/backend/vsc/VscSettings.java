package dev.stowage.backend.vsc;

import dev.stowage.backend.vsc.central.placement.Allocator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What a controller of arrays is told at its start. */
public record VscSettings(
        String driverName,
        String version,
        Optional<Path> kubeconfig,
        String namespace,
        Arrays arrays,
        Allocator allocator,
        Fencing fencing) {

    /**
     * How arrays are asked.
     *
     * @param tls whether an address without a scheme is one of HTTPS
     * @param verify whether certificates have to be trusted
     * @param trusted certificates in PEM that are trusted beside the usual ones
     * @param timeout how long an array may take for one call
     * @param interval how often every array is looked at
     */
    public record Arrays(boolean tls, boolean verify, Optional<Path> trusted, Duration timeout, Duration interval) {}

    /**
     * What happens when a node is lost.
     *
     * @param after how long Kubernetes has to be without news of a node before arrays are told to shut it out
     * @param taint whether a node that is shut out of everything is also declared out of service, so that its pods move at once
     */
    public record Fencing(boolean enabled, Duration after, boolean taint) {}
}
