package dev.stowage.workbench.cluster;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.process.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** The control groups of a cluster: one for each node, in every hierarchy the machine has, be they many (version 1) or one. */
final class ControlGroups {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String group;

    ControlGroups(String group) {
        this.group = group;
    }

    /** The group of a node, as the kubelet's cgroupRoot. */
    String of(String node) {
        return "/" + group + "/" + node;
    }

    void ensure(String node) {
        for (Path hierarchy : hierarchies()) {
            var parent = hierarchy.resolve(group);
            make(hierarchy, parent);
            make(parent, parent.resolve(node));
        }
    }

    /** What is there, in whichever hierarchy. */
    List<Path> existing() {
        return hierarchies().stream()
                .map(hierarchy -> hierarchy.resolve(group))
                .filter(Files::exists)
                .toList();
    }

    void remove() {
        existing().forEach(ControlGroups::remove);
    }

    /**
     * Forgets the groups of a node, as a machine does that is switched on. A kubelet looks at each group that it finds, and waits three
     * seconds for the container that it once was.
     */
    void remove(String node) {
        existing().stream()
                .map(tree -> tree.resolve(node))
                .filter(Files::exists)
                .forEach(ControlGroups::remove);
    }

    /** A group goes when its last process has ended, which can take the kernel a moment. */
    private static void remove(Path tree) {
        if (!Waiting.until(PATIENCE, () -> removed(tree))) {
            throw new WorkbenchException(
                    "the control group %s cannot be removed; a process is still in it: see its cgroup.procs"
                            .formatted(tree));
        }
    }

    private static boolean removed(Path tree) {
        try (var all = Files.walk(tree)) {
            for (Path directory : all.filter(Files::isDirectory)
                    .sorted(Comparator.reverseOrder())
                    .toList()) {
                Files.delete(directory);
            }
            return true;
        } catch (IOException | UncheckedIOException busy) {
            return !Files.exists(tree);
        }
    }

    private static void make(Path parent, Path child) {
        try {
            var available = parent.resolve("cgroup.controllers");
            if (Files.exists(available)) {
                // Version 2 hands a controller down only if it is told to.
                for (var controller : Files.readString(available).strip().split(" ")) {
                    if (!controller.isEmpty()) {
                        Files.writeString(parent.resolve("cgroup.subtree_control"), "+" + controller);
                    }
                }
            }
            // Nodes start side by side, and the upper groups are for all of them.
            Files.createDirectories(child);
            // A new group of this controller has no processor and no memory, and takes no process until it has.
            for (var file : List.of("cpuset.cpus", "cpuset.mems")) {
                var wanted = child.resolve(file);
                if (Files.exists(wanted)
                        && !Files.exists(available)
                        && Files.readString(wanted).isBlank()) {
                    Files.writeString(wanted, Files.readString(parent.resolve(file)));
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot make the control group " + child, failure);
        }
    }

    private static List<Path> hierarchies() {
        try (var mounts = Files.lines(Path.of("/proc/self/mounts"))) {
            return mounts.map(line -> line.split(" "))
                    .filter(fields -> "cgroup".equals(fields[2]) || "cgroup2".equals(fields[2]))
                    .map(fields -> Path.of(fields[1]))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("the list of mounts cannot be read", failure);
        }
    }
}
