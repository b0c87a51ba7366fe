package dev.stowage.workbench.cluster;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.image.ImageArchive;
import dev.stowage.workbench.image.ImageContent;
import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The images that every node has. They are made here, from programs that need no library, and come from nowhere else. */
public final class Images {
    /** What holds a pod's namespaces. */
    public static final String PAUSE = "localhost/pause:1";

    /** A shell with the usual small programs. */
    public static final String BUSYBOX = "localhost/busybox:1";

    /** The program of the official tests, beside a shell. */
    public static final String AGNHOST = "localhost/agnhost:1";

    private final Path directory;
    private final Tools tools;

    Images(Path directory, Tools tools) {
        this.directory = directory;
        this.tools = tools;
    }

    /** The archives, made unless they are there. */
    List<Path> ensure() {
        var pause = directory.resolve("pause.tar");
        var busybox = directory.resolve("busybox.tar");
        var agnhost = directory.resolve("agnhost.tar");
        if (Files.exists(agnhost)) {
            return List.of(pause, busybox, agnhost);
        }
        try {
            Files.createDirectories(directory);
            var nothing = new ImageContent(List.of(), List.of(), List.of());
            ImageArchive.write(
                    pause,
                    nothing.starting("pause", Path.of(tools.program("pause")).toRealPath(), List.of()),
                    List.of(PAUSE));
            var shell = shell();
            ImageArchive.write(busybox, shell, List.of(BUSYBOX));
            var next = directory.resolve("agnhost.new");
            ImageArchive.write(
                    next,
                    shell.starting("agnhost", Path.of(tools.program("agnhost")).toRealPath(), List.of("pause")),
                    List.of(AGNHOST));
            Files.move(next, agnhost);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot make the images of the cluster", failure);
        }
        return List.of(pause, busybox, agnhost);
    }

    /** The root of a small Linux: busybox under all its names. */
    public static ImageContent shell() {
        var busybox = busyboxWithoutLibraries();
        var entries = new ArrayList<ImageContent.Entry>();
        for (var name :
                List.of("bin", "dev", "etc", "home", "mnt", "proc", "root", "run", "sys", "usr", "usr/bin", "var")) {
            entries.add(new ImageContent.DirectoryEntry(name, 0755));
        }
        entries.add(new ImageContent.DirectoryEntry("tmp", 01777));
        entries.add(new ImageContent.LinkEntry("sbin", "bin"));
        entries.add(new ImageContent.TextEntry(
                "etc/passwd", "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n"));
        entries.add(new ImageContent.TextEntry("etc/group", "root:x:0:\nnogroup:x:65534:\n"));
        entries.add(new ImageContent.ProgramEntry("bin/busybox", busybox));
        Programs.run(Duration.ofSeconds(10), busybox.toString(), "--list")
                .orThrow()
                .lines()
                .filter(name -> !"busybox".equals(name))
                .forEach(name -> entries.add(new ImageContent.LinkEntry("bin/" + name, "busybox")));
        return new ImageContent(entries, List.of(), List.of("sh"));
    }

    private static Path busyboxWithoutLibraries() {
        for (var directory : List.of("/bin", "/usr/bin")) {
            var candidate = Path.of(directory, "busybox");
            // Of a program that needs no library, the program that lists libraries has nothing to say, and says so by
            // its exit code.
            if (Files.isExecutable(candidate)
                    && !Programs.run(Duration.ofSeconds(10), "ldd", candidate.toString())
                            .succeeded()) {
                return candidate;
            }
        }
        throw new WorkbenchException(
                "there is no busybox that works without libraries, which the images of the cluster are made"
                        + " from; install the package busybox-static");
    }
}
