package dev.stowage.cli.tour;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Looks for anything of the tour that is still on the machine. */
final class Leftovers {

    private Leftovers() {}

    static List<String> of(Path workspace, long pid) throws IOException {
        var found = new ArrayList<String>();
        for (String mount : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
            if (mount.contains(workspace.toString())) {
                found.add("a mount: " + mount);
            }
        }
        try (var devices = Files.newDirectoryStream(Path.of("/sys/block"), "loop*")) {
            for (Path device : devices) {
                Path backing = device.resolve("loop/backing_file");
                if (Files.exists(backing) && Files.readString(backing).contains(workspace.toString())) {
                    found.add("a loop device: /dev/" + device.getFileName());
                }
            }
        }
        if (ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
            found.add("a process: " + pid);
        }
        if (Files.exists(workspace)) {
            found.add("a directory: " + workspace);
        }
        return found;
    }

    /** Removes the workspace; nothing in it is mounted any more. */
    static void removeTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (var entries = Files.walk(directory)) {
            for (Path entry : entries.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(entry);
            }
        }
    }
}
