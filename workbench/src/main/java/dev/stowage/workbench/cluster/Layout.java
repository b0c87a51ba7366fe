package dev.stowage.workbench.cluster;

import dev.stowage.workbench.Environment;
import dev.stowage.workbench.WorkbenchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Where the files of a cluster are. Everything it has on disk is in one directory. */
public record Layout(String name, Path state) {
    /** The name of a cluster whose user gave it none. */
    public static final String DEFAULT_NAME = "stowage";

    private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9-]{0,28}[a-z0-9])?");
    private static final List<String> COVERED_IN_NODES = List.of("/var/lib", "/var/log", "/run", "/tmp");

    public Layout {
        if (!NAME.matcher(name).matches()) {
            throw new WorkbenchException("a cluster cannot be named \"" + name
                    + "\": up to 30 lower-case letters, digits and dashes, beginning with a letter");
        }
    }

    /** The cluster of this name in the directory that holds all of them, by default in the cache. */
    public static Layout of(String name, Path parent) {
        var state = parent.toAbsolutePath().normalize().resolve(name);
        for (var covered : COVERED_IN_NODES) {
            if (state.startsWith(covered)) {
                throw new WorkbenchException(
                        "a cluster cannot be kept in %s: its nodes have their own %s and would not see it"
                                .formatted(state, covered));
            }
        }
        return new Layout(name, state);
    }

    public static Path defaultParent() {
        return Environment.cache().resolve("clusters");
    }

    Path record() {
        return state.resolve("cluster.properties");
    }

    /** Beside the cluster, not in it: it has to be there while the directory comes and goes. */
    Path lock() {
        return state.resolveSibling("." + name + ".lock");
    }

    /** Of all clusters beside this one. */
    Path networksLock() {
        return state.resolveSibling(".networks.lock");
    }

    /** This cluster and those that are kept beside it, whether they are there or only a directory is. */
    List<Layout> siblings() {
        try (var entries = Files.list(state.getParent())) {
            return entries.filter(entry ->
                            NAME.matcher(entry.getFileName().toString()).matches())
                    .map(entry -> new Layout(entry.getFileName().toString(), entry))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("the clusters in " + state.getParent() + " cannot be listed", failure);
        }
    }

    Path certificates() {
        return state.resolve("certificates");
    }

    Path settings() {
        return state.resolve("settings");
    }

    /** For the user and for tests: everything is allowed. */
    public Path kubeconfig() {
        return state.resolve("kubeconfig");
    }

    Path kubeconfig(String user) {
        return settings().resolve(user + ".kubeconfig");
    }

    Path etcd() {
        return state.resolve("etcd");
    }

    Path images() {
        return state.resolve("images");
    }

    Path node(String node) {
        return state.resolve("nodes").resolve(node);
    }

    /** The control group that holds those of the nodes, in every hierarchy. */
    String controlGroup() {
        return "stowage-" + name;
    }
}
