package dev.stowage.array.iscsi;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.command.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kernel's target as the tree of directories, links and values that it is configured by. */
final class LioTree {

    private static final Logger log = LoggerFactory.getLogger(LioTree.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path CONFIG = Path.of("/sys/kernel/config");

    static final Path TARGETS = CONFIG.resolve("target/iscsi");
    static final Path STORES = CONFIG.resolve("target/core");

    private LioTree() {}

    /** Whether the kernel has it; its modules are loaded if they can be. */
    static boolean present() {
        if (!Files.exists(TARGETS)) {
            loadModules();
            if (Files.exists(CONFIG) && !Files.exists(CONFIG.resolve("target"))) {
                Commands.run(PATIENCE, "mount", "-t", "configfs", "none", CONFIG.toString());
            }
            // The fabric shows when somebody first asks for it.
            if (Files.exists(CONFIG.resolve("target"))) {
                tryMake(TARGETS);
            }
        }
        return Files.exists(TARGETS);
    }

    /** A machine whose kernel has no modules may not even have the program. */
    private static void loadModules() {
        try {
            Commands.run(PATIENCE, "modprobe", "--all", "--quiet", "target_core_file", "iscsi_target_mod");
        } catch (CommandFailedException noModules) {
            log.debug("the kernel's target cannot be loaded", noModules);
        }
    }

    private static void tryMake(Path directory) {
        try {
            Files.createDirectory(directory);
        } catch (IOException absent) {
            // present() sees that it is not there
        }
    }

    static void make(Path directory) {
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException already) {
            // every step may come again
        } catch (IOException failed) {
            throw failure("make", directory, failed);
        }
    }

    /** Returns when the kernel has let go of it, with nothing in flight any more. */
    static void remove(Path path) {
        try {
            Files.delete(path);
        } catch (NoSuchFileException gone) {
            // every step may come again
        } catch (IOException failed) {
            throw failure("remove", path, failed);
        }
    }

    static void link(Path link, Path to) {
        try {
            Files.createSymbolicLink(link, to);
        } catch (FileAlreadyExistsException already) {
            // every step may come again
        } catch (IOException failed) {
            throw failure("link", link, failed);
        }
    }

    /** Without a newline, which the kernel would take for a part of a secret. */
    static void write(Path file, String value) {
        try {
            Files.write(file, value.getBytes(StandardCharsets.UTF_8));
        } catch (IOException failed) {
            // The value may be a secret.
            throw failure("write", file, failed);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException failed) {
            throw failure("read", file, failed);
        }
    }

    static List<Path> below(Path directory) {
        try (var entries = Files.list(directory)) {
            return entries.filter(entry -> Files.isDirectory(entry) || Files.isSymbolicLink(entry))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException absent) {
            return List.of();
        } catch (IOException failed) {
            throw failure("list", directory, failed);
        }
    }

    private static StowageException failure(String step, Path path, IOException failed) {
        return StowageException.unavailable(
                failed, "the kernel's iSCSI target: cannot %s %s: %s", step, path, failed.getMessage());
    }
}
