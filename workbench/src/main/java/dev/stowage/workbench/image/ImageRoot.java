package dev.stowage.workbench.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * An image's files in a directory, in which its programs can run as in a container: they see these files, the machine's processes and
 * devices, and nothing else. The mounts for that are in a namespace that goes with the process.
 */
public record ImageRoot(Path directory, List<String> environment) {

    private static final String ENTER =
            "mount --rbind /proc \"$0/proc\" && mount --rbind /dev \"$0/dev\" && mount --rbind /sys \"$0/sys\" && exec chroot \"$@\"";

    /** Puts files into a directory, with the time that they have in the image. */
    static void materialise(List<ImageContent.Entry> entries, Instant time, Path directory) throws IOException {
        for (var entry : entries) {
            var path = directory.resolve(entry.name());
            switch (entry) {
                case ImageContent.DirectoryEntry ignored -> Files.createDirectories(path);
                case ImageContent.LinkEntry link -> Files.createSymbolicLink(path, Path.of(link.target()));
                case ImageContent.TextEntry file ->
                    finish(Files.write(path, file.text().getBytes(StandardCharsets.UTF_8)), Tree.PLAIN, time);
                case ImageContent.ProgramEntry file -> finish(Files.copy(file.program(), path), Tree.EXECUTABLE, time);
                case ImageContent.FileEntry file -> finish(Files.copy(file.content(), path), file.mode(), time);
            }
        }
    }

    private static void finish(Path path, int mode, Instant time) throws IOException {
        Files.setPosixFilePermissions(
                path, PosixFilePermissions.fromString(mode == Tree.EXECUTABLE ? "rwxr-xr-x" : "rw-r--r--"));
        Files.setLastModifiedTime(path, FileTime.from(time));
    }

    /** A process in it, as root. It is the process that is started here, not a child of it: signals reach it. */
    public ProcessBuilder process(List<String> command) {
        return enter(List.of(), command);
    }

    /** A process in it, as a user and a group that are given by their numbers, in the form 1:2. */
    public ProcessBuilder process(String user, List<String> command) {
        return enter(List.of("--userspec=" + user), command);
    }

    private ProcessBuilder enter(List<String> options, List<String> command) {
        var whole = new ArrayList<>(List.of("unshare", "--mount"));
        if (!"root".equals(System.getProperty("user.name"))) {
            whole.add("--map-root-user");
        }
        whole.addAll(List.of("--", "/bin/sh", "-c", ENTER, directory.toString()));
        whole.addAll(options);
        whole.add(directory.toString());
        whole.addAll(command);
        var builder = new ProcessBuilder(whole);
        builder.environment().clear();
        for (var variable : environment) {
            int equals = variable.indexOf('=');
            builder.environment().put(variable.substring(0, equals), variable.substring(equals + 1));
        }
        return builder;
    }
}
