package dev.stowage.workbench.e2e;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Images;
import dev.stowage.workbench.image.ImageArchive;
import dev.stowage.workbench.image.ImageContent;
import dev.stowage.workbench.image.ImageContent.DirectoryEntry;
import dev.stowage.workbench.image.ImageContent.Entry;
import dev.stowage.workbench.image.ImageContent.FileEntry;
import dev.stowage.workbench.image.ImageContent.ProgramEntry;
import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The images of the suite, as other names of what every node has. The suite's own images are programs of the same sources or a small
 * Linux with a shell, which is all that the storage tests ask of them.
 */
final class SuiteImages {
    private static final String REGISTRY = "localhost/e2e";
    private static final String SIDECARS = "registry.k8s.io/sig-storage";

    private static final Map<String, String> SAME_AS = Map.of(
            "agnhost", Images.AGNHOST,
            "busybox", Images.BUSYBOX,
            "nginx", Images.BUSYBOX,
            "pause", Images.PAUSE);

    private static final String POPULATOR = "hello-populator";

    /**
     * A Debian. Tests of raw devices read and write past the cache with its dd, which busybox cannot do; and the shell of busybox would
     * take its own dd whatever there is.
     */
    private static final String DEBIAN = "glibc-dns-testing";

    private static final Duration FOR_A_LOOK = Duration.ofSeconds(10);
    private static final Pattern LIBRARY = Pattern.compile("(?:^|=> )(/\\S+) \\(0x[0-9a-f]+\\)$");

    private SuiteImages() {}

    /** Writes the file that tells the suite where its images are: in no registry. */
    static Path writeRegistries(Path directory) {
        var file = directory.resolve("registries.yaml");
        try {
            var text = new StringBuilder();
            for (var registry : List.of("promoterE2eRegistry", "gcRegistry", "sigStorageRegistry")) {
                text.append(registry).append(": ").append(REGISTRY).append('\n');
            }
            return Files.writeString(file, text);
        } catch (IOException failure) {
            throw new WorkbenchException("cannot write %s: %s".formatted(file, failure.getMessage()), failure);
        }
    }

    /** Gives what the nodes have the names that the suite uses. Returns how many. */
    static int provide(Cluster cluster, List<String> wanted, Path populator, Path directory) {
        int count = 0;
        for (var image : wanted) {
            // Images of manifests are listed by the names that they have there, and used by the others.
            var here = image.replaceFirst("^" + SIDECARS + "/", REGISTRY + "/");
            if (here.startsWith(REGISTRY + "/") && provide(cluster, here, populator, directory)) {
                count++;
            }
        }
        return count;
    }

    private static boolean provide(Cluster cluster, String image, Path populator, Path directory) {
        var name = image.substring(REGISTRY.length() + 1, image.lastIndexOf(':'));
        var existing = SAME_AS.get(name);
        if (existing != null) {
            cluster.nodes().forEach(node -> node.nameImage(existing, image));
            return true;
        }
        var content = switch (name) {
            case POPULATOR ->
                Optional.of(
                        new ImageContent(List.of(), List.of(), List.of()).starting(POPULATOR, populator, List.of()));
            case DEBIAN -> Optional.of(with(List.of("sh", "dd"), Images.shell()));
            default -> Optional.<ImageContent>empty();
        };
        content.ifPresent(found -> {
            var archive = directory.resolve(name + ".tar");
            ImageArchive.write(archive, found, List.of(image));
            cluster.load(archive);
        });
        return content.isPresent();
    }

    /** A small Linux with programs of this machine, and their libraries, in place of its own. */
    private static ImageContent with(List<String> names, ImageContent shell) {
        var entries = new LinkedHashMap<String, Entry>();
        shell.entries().forEach(entry -> entries.put(entry.name(), entry));
        for (var name : names) {
            var program = program(name);
            entries.put("bin/" + name, new ProgramEntry("bin/" + name, program));
            Programs.run(FOR_A_LOOK, "ldd", program.toString())
                    .orThrow()
                    .lines()
                    .map(line -> LIBRARY.matcher(line.strip()))
                    .filter(Matcher::find)
                    .forEach(library -> add(Path.of(library.group(1)), entries));
        }
        return new ImageContent(List.copyOf(entries.values()), shell.entrypoint(), shell.command());
    }

    private static Path program(String name) {
        try {
            for (var directory : List.of("/bin", "/usr/bin")) {
                var program = Path.of(directory, name);
                if (Files.isExecutable(program)) {
                    return program.toRealPath();
                }
            }
        } catch (IOException failure) {
            throw new WorkbenchException("cannot read %s: %s".formatted(name, failure.getMessage()), failure);
        }
        throw new WorkbenchException("this machine has no program " + name + ", which an image of the suite needs");
    }

    private static void add(Path library, Map<String, Entry> entries) {
        var relative = Path.of("/").relativize(library);
        for (int length = 1; length < relative.getNameCount(); length++) {
            var parent = relative.subpath(0, length).toString();
            entries.putIfAbsent(parent, new DirectoryEntry(parent, 0755));
        }
        try {
            entries.put(relative.toString(), new FileEntry(relative.toString(), library.toRealPath(), 0755));
        } catch (IOException failure) {
            throw new WorkbenchException("cannot read %s: %s".formatted(library, failure.getMessage()), failure);
        }
    }
}
