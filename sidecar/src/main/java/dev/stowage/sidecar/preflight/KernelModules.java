package dev.stowage.sidecar.preflight;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Whether the kernel can do what drivers commonly ask of it, by a module that is loaded or by what it was built with. */
final class KernelModules {

    private static final String NAME = "KernelModules";

    /** A function that only the module has, by which one that was built in is known. */
    private static final Map<String, String> FUNCTIONS =
            new TreeMap<>(Map.of("iscsi_tcp", "iscsi_sw_tcp_conn_create", "dm_multipath", "multipath_ctr"));

    private static final String NFS = "nfs";

    private final HostProc proc;
    private volatile @Nullable Optional<Set<String>> builtIn;

    KernelModules(HostProc proc) {
        this.proc = proc;
    }

    Finding look() throws IOException {
        var there = new HashSet<String>(filesystems());
        proc.lines("modules")
                .orElse(List.of())
                .forEach(line -> there.add(line.substring(0, Math.max(0, line.indexOf(' ')))));
        var missing = new ArrayList<String>();
        var doubtful = new ArrayList<String>();
        for (String module : FUNCTIONS.keySet()) {
            if (!there.contains(module)) {
                var known = builtIn();
                if (known.isEmpty()) {
                    doubtful.add(module);
                } else if (!known.get().contains(module)) {
                    missing.add(module);
                }
            }
        }
        if (!there.contains(NFS)) {
            missing.add(NFS);
        }
        return finding(missing, doubtful);
    }

    private static Finding finding(List<String> missing, List<String> doubtful) {
        if (!missing.isEmpty()) {
            return new Finding(
                    NAME,
                    false,
                    "not in the kernel now: " + String.join(", ", missing)
                            + "; a driver that needs one has to load it");
        }
        return doubtful.isEmpty()
                ? new Finding(NAME, true, "iscsi_tcp, dm_multipath and nfs are in the kernel")
                : Finding.unknown(
                        NAME,
                        "not loaded, and the kernel does not tell whether they are built in: "
                                + String.join(", ", doubtful));
    }

    private Set<String> filesystems() throws IOException {
        var known = new HashSet<String>();
        proc.lines("filesystems")
                .orElse(List.of())
                .forEach(line ->
                        known.add(line.substring(line.lastIndexOf('\t') + 1).strip()));
        if (known.contains("nfs4")) {
            known.add(NFS);
        }
        return known;
    }

    /** Of those with a known function; nothing when the kernel does not list its functions. It has very many, and they never change. */
    private Optional<Set<String>> builtIn() throws IOException {
        var before = builtIn;
        if (before != null) {
            return before;
        }
        var found = readFunctions();
        builtIn = found;
        return found;
    }

    private Optional<Set<String>> readFunctions() throws IOException {
        var stream = proc.stream("kallsyms");
        if (stream.isEmpty()) {
            return Optional.empty();
        }
        var found = new HashSet<String>();
        try (var lines = stream.get()) {
            boolean any = false;
            for (var line : (Iterable<String>) lines::iterator) {
                any = true;
                FUNCTIONS.forEach((module, function) -> {
                    if (line.endsWith(" " + function)) {
                        found.add(module);
                    }
                });
            }
            return any ? Optional.of(found) : Optional.empty();
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }
}
