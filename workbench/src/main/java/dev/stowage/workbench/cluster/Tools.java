package dev.stowage.workbench.cluster;

import dev.stowage.workbench.Environment;
import dev.stowage.workbench.WorkbenchException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The programs that a cluster is made of, in a directory named after their versions. */
public record Tools(Path directory) {

    /** The ones that the launcher has built and named. */
    public static Tools fromEnvironment() {
        return new Tools(Environment.path("STOWAGE_CLUSTER_TOOLS"));
    }

    public Path programs() {
        return directory.resolve("bin");
    }

    public String program(String name) {
        var program = programs().resolve(name);
        if (!Files.isExecutable(program)) {
            throw new WorkbenchException(
                    "%s is missing; `./stowage cluster down` and then `up` builds it again".formatted(program));
        }
        return program.toString();
    }

    public Path snapshotResources() {
        return directory.resolve("snapshot-crds");
    }
}
