package dev.stowage.workbench.image;

import dev.stowage.workbench.WorkbenchException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * The classes that every start needs, loaded and linked ahead of time, for exactly the jars and the runtime of one image.
 *
 * <p>The JVM has two ways to make such an archive. Recording a run into an ahead-of-time cache, as the launcher does, gives other
 * bytes each time, and the JVM does not notice when a jar below it changes. Here the run is recorded as a list of classes, which is
 * text and can be kept, and the archive is made from the list: it starts as fast, is refused by the JVM if a jar has another
 * size or time, and comes out the same for the same list but for a few clock readings, which are wiped.
 */
final class StartArchive {
    private static final int PATIENCE_SECONDS = 600;
    private static final String SCRATCH = "/tmp/stowage-rehearsal";

    /** The start of an archive, where its checksums are. */
    private static final int HEADER = 4096;

    /** The most that a clock in milliseconds since the machine's start is believed to show: a hundred years. */
    private static final long LONGEST_UPTIME = 100L * 365 * 24 * 60 * 60 * 1000;

    private final ImageRoot root;
    private final List<String> java;
    private final List<String> program;

    /**
     * @param java the launcher and its flags
     * @param program the class path and the main class
     */
    StartArchive(ImageRoot root, List<String> java, List<String> program) {
        this.root = root;
        this.java = List.copyOf(java);
        this.program = List.copyOf(program);
    }

    /** A real driver starts and is called; the classes that it needed, without anything that depends on the order of loading. */
    String rehearse() throws IOException {
        var scratch = Files.createDirectories(inside(SCRATCH));
        var log = scratch.resolve("log");
        var driver = start(
                log,
                List.of("-Xshare:off", "-XX:DumpLoadedClassList=" + SCRATCH + "/classes"),
                List.of(
                        "driver",
                        "--endpoint",
                        "unix://" + SCRATCH + "/csi.sock",
                        "--node-id",
                        "rehearsal",
                        "--pool",
                        SCRATCH + "/pool",
                        "--http",
                        "127.0.0.1:0",
                        "--kubelet-registration-dir",
                        SCRATCH,
                        "--log-level",
                        "warn"));
        try {
            await(
                    start(log, List.of(), List.of("rehearsal", "--endpoint", "unix://" + SCRATCH + "/csi.sock")),
                    "the rehearsal of a start in the image",
                    log);
            driver.destroy();
            await(driver, "the driver of the rehearsal in the image", log);
        } finally {
            driver.destroyForcibly();
        }
        var classes = normalised(Files.readAllLines(scratch.resolve("classes")));
        delete(scratch);
        return classes;
    }

    /** Classes, then what was generated for lambdas, then which references of which class are resolved; each in order. */
    static String normalised(List<String> lines) {
        var classes = new TreeSet<String>();
        var generated = new TreeSet<String>();
        var resolved = new TreeMap<String, TreeSet<Integer>>();
        for (var line : lines) {
            if (line.startsWith("@cp ")) {
                var words = line.split(" ", -1);
                var indices = resolved.computeIfAbsent(words[1], _ -> new TreeSet<>());
                for (int i = 2; i < words.length; i++) {
                    indices.add(Integer.valueOf(words[i]));
                }
            } else if (line.startsWith("@")) {
                generated.add(line);
            } else if (!line.startsWith("#") && !line.contains(" source: ")) {
                classes.add(line.replaceFirst(" id: \\d+$", ""));
            }
        }
        var all = new ArrayList<>(classes);
        all.addAll(generated);
        resolved.forEach((name, indices) -> all.add("@cp " + name + " "
                + String.join(" ", indices.stream().map(String::valueOf).toList())));
        return String.join("\n", all) + "\n";
    }

    /** Makes the archive from a list of classes. */
    void write(String classes, Path archive) throws IOException {
        var scratch = Files.createDirectories(inside(SCRATCH));
        Files.writeString(scratch.resolve("classes"), classes);
        var first = dump("first");
        var second = dump("second");
        Files.write(archive, withoutClocks(Files.readAllBytes(first), Files.readAllBytes(second)));
        delete(scratch);
    }

    /**
     * With so much room nothing is collected: what a soft reference holds would be gone sooner or later, depending on the time. Nor
     * does a compiler work beside it.
     */
    private Path dump(String name) throws IOException {
        var log = inside(SCRATCH).resolve("log");
        var archive = SCRATCH + "/" + name;
        await(
                start(
                        log,
                        List.of(
                                "-Xshare:dump",
                                "-XX:+AOTClassLinking",
                                "-Xint",
                                "-Xms256m",
                                "-Xmn200m",
                                "-XX:SoftRefLRUPolicyMSPerMB=" + Integer.MAX_VALUE,
                                "-XX:SharedClassListFile=" + SCRATCH + "/classes",
                                "-XX:SharedArchiveFile=" + archive),
                        List.of()),
                "making the archive of classes in the image",
                log);
        return inside(archive);
    }

    /**
     * What two archives from one list have in common. They differ in soft references, which hold the time of their last use on the
     * clock that counts from the machine's start, and in two checksums over those. The JVM sets such a time anew at the first use, and
     * looks at the checksums only if it is asked to.
     */
    static byte[] withoutClocks(byte[] first, byte[] second) {
        if (first.length != second.length) {
            throw new WorkbenchException(
                    "two archives of classes made from one list differ in size: %d and %d bytes; make the image again"
                            .formatted(first.length, second.length));
        }
        var one = ByteBuffer.wrap(first).order(ByteOrder.nativeOrder());
        var other = ByteBuffer.wrap(second).order(ByteOrder.nativeOrder());
        for (int at = 0; at < HEADER; at += Integer.BYTES) {
            if (one.getInt(at) != other.getInt(at)) {
                one.putInt(at, 0);
            }
        }
        for (int at = HEADER; at + Long.BYTES <= first.length; at += Long.BYTES) {
            long before = one.getLong(at);
            long after = other.getLong(at);
            if (before == after) {
                continue;
            }
            if (isClock(before) && isClock(after) && before < after) {
                one.putLong(at, 0);
            } else {
                throw new WorkbenchException(
                        "two archives of classes made from one list differ at byte %d in what is not a clock: %x and %x"
                                .formatted(at, before, after));
            }
        }
        return first;
    }

    private static boolean isClock(long value) {
        return value > 0 && value < LONGEST_UPTIME;
    }

    private Process start(Path log, List<String> more, List<String> arguments) throws IOException {
        var command = new ArrayList<>(java);
        command.addAll(more);
        command.addAll(program);
        command.addAll(arguments);
        return root.process(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private static void await(Process process, String what, Path log) throws IOException {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new WorkbenchException(
                        what + " failed: " + Files.readString(log).strip());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new WorkbenchException(what + " was interrupted", interrupted);
        } finally {
            process.destroyForcibly();
        }
    }

    private Path inside(String path) {
        return root.directory().resolve(path.substring(1));
    }

    static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
