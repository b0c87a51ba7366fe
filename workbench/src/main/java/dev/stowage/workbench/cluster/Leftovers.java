package dev.stowage.workbench.cluster;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.process.Daemons;
import dev.stowage.workbench.process.ProcessIdentity;
import dev.stowage.workbench.process.Programs;
import dev.stowage.workbench.process.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a cluster has on this machine, found by looking and not by what was recorded: processes, mounts, a network device, control
 * groups, loop devices and files. So it is found as well after a crash in the middle of whatever.
 */
public final class Leftovers {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Layout layout;
    private final Daemons daemons;
    private final ControlGroups groups;

    public Leftovers(Layout layout) {
        this.layout = layout;
        daemons = new Daemons(layout.state());
        groups = new ControlGroups(layout.controlGroup());
    }

    /** Everything that is there, in words. */
    public List<String> list() {
        var found = new ArrayList<String>();
        daemons.marked().forEach(process -> found.add("a process: " + process.pid()));
        mounts().forEach(mount -> found.add("a mount: " + mount));
        devices().forEach(device -> found.add("a network device: " + device));
        groups.existing().forEach(group -> found.add("a control group: " + group));
        LoopDevices.below(layout.state()).forEach(device -> found.add("a loop device: " + device));
        for (Path file : List.of(layout.state(), layout.lock())) {
            if (Files.exists(file)) {
                found.add("a file: " + file);
            }
        }
        return found;
    }

    /** Ends every process; what ran in the nodes ends with the first process of each. */
    void endProcesses() {
        if (!Waiting.until(PATIENCE, this::killed)) {
            throw new WorkbenchException("processes of the cluster %s were killed and are still there: %s"
                    .formatted(
                            layout.name(),
                            daemons.marked().stream().map(ProcessIdentity::pid).toList()));
        }
    }

    /** The device goes with the namespace of its other end too, but in the kernel's own time. */
    void removeDevices() {
        for (var device : devices()) {
            var result = Programs.run(PATIENCE, "ip", "link", "delete", device);
            if (devices().contains(device)) {
                result.orThrow();
            }
        }
    }

    void removeControlGroups() {
        groups.remove();
    }

    void detachLoopDevices() {
        LoopDevices.below(layout.state()).forEach(LoopDevices::detach);
    }

    void removeFiles() {
        mounts().forEach(mount -> Programs.run(PATIENCE, "umount", "--", mount).orThrow());
        Programs.run(
                        PATIENCE,
                        "rm",
                        "--recursive",
                        "--force",
                        "--one-file-system",
                        "--",
                        layout.state().toString())
                .orThrow();
    }

    private boolean killed() {
        var processes = daemons.marked();
        processes.forEach(ProcessIdentity::kill);
        return processes.isEmpty();
    }

    /** Below the directory of the cluster, the innermost first. */
    private List<String> mounts() {
        try (var lines = Files.lines(Path.of("/proc/self/mountinfo"))) {
            return lines.map(line -> line.split(" ")[4])
                    .filter(target -> Path.of(target).startsWith(layout.state()))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("the list of mounts cannot be read", failure);
        }
    }

    private List<String> devices() {
        return ClusterRecord.read(layout)
                .map(record -> new Addresses(record.network()).device())
                .filter(device -> Files.exists(Path.of("/sys/class/net", device)))
                .map(List::of)
                .orElse(List.of());
    }
}
