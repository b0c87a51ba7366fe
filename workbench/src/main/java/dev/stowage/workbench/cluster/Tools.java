package dev.stowage.workbench.cluster;

import dev.stowage.workbench.WorkbenchException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The programs that a cluster is made of, in a directory named after their versions. */
public record Tools(Path directory) {

    /** The ones that the launcher has built and named. */
    public static Tools fromEnvironment() {
        var directory = System.getenv("STOWAGE_CLUSTER_TOOLS");
        if (directory == null) {
            throw new WorkbenchException("STOWAGE_CLUSTER_TOOLS is not set: start this through the ./stowage script,"
                    + " which builds the programs of the cluster and says where they are");
        }
        return new Tools(Path.of(directory));
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
