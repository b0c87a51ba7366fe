package dev.stowage.workbench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** What the cluster's own parts may do. */
final class Roles {
    /** As whom the API server asks a kubelet for logs and to run commands. */
    static final String API_SERVER = "stowage-workbench-api-server";

    static final String SNAPSHOT_CONTROLLER = "stowage-workbench-snapshot-controller";

    private Roles() {}

    static String manifest() {
        try (var source = Objects.requireNonNull(Roles.class.getResourceAsStream("roles.yaml"))) {
            return new String(source.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("the roles of the cluster cannot be read", failure);
        }
    }
}
