package dev.stowage.workbench;

import java.nio.file.Path;

/** What the launcher tells its Java program. */
public final class Environment {
    private Environment() {}

    /** The checkout. */
    public static Path home() {
        return path("STOWAGE_HOME");
    }

    /** Where everything is kept that is fetched or built and is not the checkout's. */
    public static Path cache() {
        return path("STOWAGE_CACHE");
    }

    public static Path path(String variable) {
        var value = System.getenv(variable);
        if (value == null) {
            throw new WorkbenchException(variable
                    + " is not set: start this through the ./stowage script, which prepares what a command needs");
        }
        return Path.of(value);
    }
}
