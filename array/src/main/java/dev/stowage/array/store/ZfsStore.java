package dev.stowage.array.store;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One dataset for each volume and snapshot, with one file in it. Copies are clones, and share their blocks.
 *
 * <p>A file rather than a volume of ZFS, because ZFS without a kernel module has only files, and the servers of volumes take both
 * alike. A clone depends on a snapshot of what it was copied from; when that goes, the clone is made the owner of the snapshot first, so
 * that nobody outside ever sees who depends on whom.
 */
public final class ZfsStore implements Store {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Without a kernel module, a file that was closed is in use for a moment longer. */
    private static final Duration FOR_A_RELEASE = Duration.ofSeconds(10);

    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final Pattern DATASET =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]*(/[A-Za-z0-9][A-Za-z0-9_.:-]*)*");
    /** What a target reads and writes at once is mostly smaller than ZFS's own 128 KiB, which it would rewrite each time. */
    private static final String RECORD_SIZE = "recordsize=16K";

    private static final String FILE = "data";
    private static final String COPY = "copy-";

    private final String dataset;
    private final Path base;
    private long used;
    private long usedAt;

    private ZfsStore(String dataset, Path base) {
        this.dataset = dataset;
        this.base = base;
        this.usedAt = System.nanoTime() - FRESH.toNanos();
    }

    /** Opens a dataset that is there, and ends what a crash left unfinished in it. */
    public static ZfsStore open(String dataset) {
        if (!DATASET.matcher(dataset).matches()) {
            throw StowageException.invalid(
                    "dataset '%s': expected the name of a ZFS dataset such as tank/array", dataset);
        }
        var told = properties(dataset, "mountpoint", "mounted");
        if (!"yes".equals(told.get("mounted"))) {
            throw StowageException.notPossible(
                    "dataset %s is not mounted; its mountpoint has to be a directory, and `zfs mount %s` mounts it",
                    dataset, dataset);
        }
        var store = new ZfsStore(dataset, Path.of(told.getOrDefault("mountpoint", "")));
        store.below("mounted").forEach((name, mounted) -> {
            if (mounted.equals("no")) {
                zfs("mount", name);
            }
        });
        store.removeUnusedCopies();
        return store;
    }

    @Override
    public void create(String id, long bytes) {
        remove(id);
        zfs("create", "-o", RECORD_SIZE, name(id));
        try (var directory = Directory.open(base.resolve(id));
                FileHandle file = directory.create(FILE)) {
            file.truncate(bytes);
            file.sync();
            directory.sync();
        }
    }

    @Override
    public void copy(String source, String id) {
        remove(id);
        var snapshot = name(source) + "@" + COPY + id;
        if (exists(snapshot)) {
            zfs("destroy", snapshot);
        }
        zfs("snapshot", snapshot);
        zfs("clone", snapshot, name(id));
    }

    @Override
    public boolean copiesInstantly() {
        return true;
    }

    @Override
    public void grow(String id, long bytes) {
        try (var directory = Directory.open(base.resolve(id));
                FileHandle file = directory.open(FILE, true)) {
            if (file.size() < bytes) {
                file.truncate(bytes);
                file.sync();
            }
        }
    }

    @Override
    public void remove(String id) {
        if (!exists(name(id))) {
            return;
        }
        while (true) {
            var heir = heir(id);
            if (heir.isEmpty()) {
                break;
            }
            zfs("promote", heir.get());
        }
        var origin = properties(name(id), "origin").getOrDefault("origin", "-");
        zfs("destroy", "-r", name(id));
        if (!origin.equals("-") && !below("origin").containsValue(origin)) {
            zfs("destroy", origin);
        }
    }

    /** Of the clones that depend on what goes, the one of the latest snapshot: it takes over those before it as well. */
    private Optional<String> heir(String id) {
        var clones = below("origin").entrySet().stream()
                .filter(clone -> clone.getValue().startsWith(name(id) + "@"))
                .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey, (one, other) -> one));
        if (clones.size() <= 1) {
            return clones.values().stream().findFirst();
        }
        var made = values("creation", "-r", name(id));
        return clones.entrySet().stream()
                .max(Comparator.comparingLong(clone -> Long.parseLong(made.getOrDefault(clone.getKey(), "0"))))
                .map(Map.Entry::getValue);
    }

    /** Snapshots that nothing was cloned from, or whose clone is gone. */
    private void removeUnusedCopies() {
        var origins = below("origin");
        origins.keySet().stream()
                .filter(name -> name.contains("@" + COPY))
                .filter(Predicate.not(origins::containsValue))
                .forEach(unused -> zfs("destroy", unused));
    }

    @Override
    public Path path(String id) {
        return base.resolve(id).resolve(FILE);
    }

    @Override
    public long allocatedBytes(String id) {
        if (!Files.exists(path(id))) {
            return 0;
        }
        try (var directory = Directory.open(base.resolve(id));
                FileHandle file = directory.open(FILE, false)) {
            return file.allocatedBytes();
        }
    }

    @Override
    public synchronized Room room() {
        if (System.nanoTime() - usedAt >= FRESH.toNanos()) {
            used = Long.parseLong(properties(dataset, "used").getOrDefault("used", "0"));
            usedAt = System.nanoTime();
        }
        long free = base.toFile().getUsableSpace();
        return new Room(used + free, free);
    }

    @Override
    public void close() {
        // The datasets stay mounted for whoever opens them next.
    }

    private String name(String id) {
        return dataset + "/" + id;
    }

    private static boolean exists(String name) {
        return Commands.query(PATIENCE, "zfs", "get", "-H", "-o", "value", "type", name)
                        .exitCode()
                == 0;
    }

    /** A property of everything below the dataset, by name. */
    private Map<String, String> below(String property) {
        var found = values(property, "-r", dataset);
        found.remove(dataset);
        return found;
    }

    private static Map<String, String> values(String property, String... where) {
        var arguments = new ArrayList<>(List.of("zfs", "get", "-H", "-p", "-o", "name,value", property));
        // zfs wants its options before the property.
        for (String each : where) {
            arguments.add(each.startsWith("-") ? 2 : arguments.size(), each);
        }
        return table(arguments);
    }

    private static Map<String, String> properties(String name, String... wanted) {
        return table(List.of("zfs", "get", "-H", "-p", "-o", "property,value", String.join(",", wanted), name));
    }

    private static Map<String, String> table(List<String> command) {
        var found = new HashMap<String, String>();
        told(Commands.query(PATIENCE, command)).stdout().lines().forEach(line -> {
            var fields = line.split("\t", 2);
            found.put(fields[0], fields.length > 1 ? fields[1] : "");
        });
        return found;
    }

    private static void zfs(String... arguments) {
        var command = new ArrayList<>(List.of("zfs"));
        command.addAll(List.of(arguments));
        long end = System.nanoTime() + FOR_A_RELEASE.toNanos();
        while (true) {
            var result = Commands.run(PATIENCE, command);
            if (!result.stderr().contains("is busy") || System.nanoTime() > end) {
                var _ = told(result);
                return;
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StowageException.unavailable("interrupted while a dataset was in use");
        }
    }

    private static Commands.Result told(Commands.Result result) {
        if (result.exitCode() == 0) {
            return result;
        }
        String said = result.stderr().strip();
        if (said.contains("out of space")) {
            throw StowageException.exhausted(
                    "%s: %s; delete volumes or snapshots, or enlarge the pool",
                    String.join(" ", result.arguments()), said);
        }
        throw StowageException.notPossible("%s: %s", String.join(" ", result.arguments()), said);
    }
}
