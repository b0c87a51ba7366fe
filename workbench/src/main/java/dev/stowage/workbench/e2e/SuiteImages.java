package dev.stowage.workbench.e2e;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Images;
import dev.stowage.workbench.image.ImageArchive;
import dev.stowage.workbench.image.ImageContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The images of the suite, as other names of what every node has. The suite's own images are programs of the same sources or a small
 * Linux with a shell, which is all that the storage tests ask of them.
 */
final class SuiteImages {
    private static final String REGISTRY = "localhost/e2e";

    private static final Map<String, String> SAME_AS = Map.of(
            "agnhost", Images.AGNHOST,
            "busybox", Images.BUSYBOX,
            "nginx", Images.BUSYBOX,
            "glibc-dns-testing", Images.BUSYBOX,
            "pause", Images.PAUSE);

    private static final String POPULATOR = "hello-populator";

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
            if (!image.startsWith(REGISTRY + "/")) {
                continue;
            }
            var name = image.substring(REGISTRY.length() + 1, image.lastIndexOf(':'));
            var existing = SAME_AS.get(name);
            if (existing != null) {
                cluster.nodes().forEach(node -> node.nameImage(existing, image));
                count++;
            } else if (name.equals(POPULATOR)) {
                var archive = directory.resolve(POPULATOR + ".tar");
                var nothing = new ImageContent(List.of(), List.of(), List.of());
                ImageArchive.write(archive, nothing.starting(POPULATOR, populator, List.of()), List.of(image));
                cluster.load(archive);
                count++;
            }
        }
        return count;
    }
}
