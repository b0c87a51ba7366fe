package dev.stowage.conformance.crash;

import com.google.protobuf.Message;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import dev.stowage.conformance.harness.Spawning;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Everything that somebody could see of a world, in words that do not depend on chance: ids and device numbers are replaced by names,
 * times are left out.
 */
final class Observation {

    private static final Pattern TIME = Pattern.compile("creation_time \\{[^}]*\\}\\s*");
    private static final Pattern UNKNOWN_ID = Pattern.compile("(vol|snap|group)-[0-9a-f]{32}");
    private static final Pattern LOOP = Pattern.compile("/?(dev/)?loop([0-9]+)");
    private static final int RAW_BYTES = 4 << 20;

    private final World world;
    private final Map<String, String> loops = new HashMap<>();
    private final List<String> lines = new ArrayList<>();

    private Observation(World world) {
        this.world = world;
    }

    /** What can be seen now, after this answer. */
    static String of(World world, Message answer) {
        try {
            var observation = new Observation(world);
            observation.look(answer);
            return String.join("\n", observation.lines);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void look(Message answer) throws IOException {
        part("answer", List.of(answer.toString()));
        var csi = world.csi();
        part(
                "volumes",
                csi.controller().listVolumes(ListVolumesRequest.getDefaultInstance()).getEntriesList().stream()
                        .map(Message::toString)
                        .toList());
        part(
                "snapshots",
                csi.controller().listSnapshots(ListSnapshotsRequest.getDefaultInstance()).getEntriesList().stream()
                        .map(Message::toString)
                        .toList());
        part("capacity", List.of(Long.toString(world.capacity())));
        var devices = devices();
        part("loop devices", devices);
        part("mounts", mounts());
        part("files", files());
        part("targets", targets());
        part("contents", Spawning.apart(this::contents));
    }

    private void part(String title, List<String> found) {
        lines.add(title + ":");
        found.stream().map(this::named).sorted().forEach(line -> lines.add("  " + line));
    }

    private String named(String text) {
        String result = TIME.matcher(text).replaceAll("").replace('\n', ' ');
        for (var name : world.names().entrySet()) {
            result = result.replace(name.getKey(), "<" + name.getValue() + ">");
        }
        result = result.replace(world.workspace().root().toString(), "");
        return UNKNOWN_ID.matcher(result).replaceAll("<unknown $1>");
    }

    private List<String> devices() throws IOException {
        var found = new ArrayList<String>();
        for (Path device : world.workspace().loops()) {
            Path system = Path.of("/sys/block").resolve(device.getFileName());
            String file = Files.readString(system.resolve("loop/backing_file")).strip();
            loops.put(device.getFileName().toString(), file);
            found.add(
                    file + " size " + read(system.resolve("size")) + " ro " + read(system.resolve("ro")) + " autoclear "
                            + read(system.resolve("loop/autoclear")) + " read-ahead "
                            + read(system.resolve("queue/read_ahead_kb")));
        }
        return found;
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    private List<String> mounts() throws IOException {
        var found = new ArrayList<String>();
        for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
            var fields = line.split(" ");
            if (!fields[4].startsWith(world.workspace().root() + "/")) {
                continue;
            }
            var source = line.substring(line.indexOf(" - ") + 3).split(" ");
            found.add(fields[4] + " is " + device(fields[3]) + " of " + source[0] + " from " + device(source[1]) + ", "
                    + access(fields[5]) + ", as a whole " + access(source[2]));
        }
        return found;
    }

    private static String access(String options) {
        return List.of(options.split(",")).contains("ro") ? "read-only" : "read-write";
    }

    private String device(String text) {
        var match = LOOP.matcher(text);
        return match.matches() ? "device of " + loops.getOrDefault("loop" + match.group(2), "nothing") : text;
    }

    private List<String> files() throws IOException {
        var found = new ArrayList<String>();
        try (var entries = Files.list(world.pool())) {
            entries.forEach(entry -> found.add(entry.getFileName().toString()));
        }
        for (String directory : List.of("volumes", "snapshots", "ephemeral")) {
            try (var entries = Files.list(world.pool().resolve(directory))) {
                for (Path entry : entries.toList()) {
                    found.add(
                            directory + "/" + entry.getFileName() + " size " + Files.size(entry) + provisioning(entry));
                }
            }
        }
        return found;
    }

    /** While a file is attached, its filesystem zeroes and discards in its own time; then it depends on chance. */
    private String provisioning(Path file) throws IOException {
        if (loops.containsValue(file.toString())) {
            return "";
        }
        long blocks = Long.parseLong(
                Workspace.run("stat", "-c", "%b", file.toString()).strip());
        return blocks * 512 >= Files.size(file) ? " thick" : " thin";
    }

    /** What lies where pods look, mounted or not. */
    private List<String> targets() throws IOException {
        Path pods = world.workspace().directory("pods");
        try (Stream<Path> entries = Files.walk(pods, 2)) {
            return entries.filter(path -> pods.relativize(path).getNameCount() == 2)
                    .map(Path::toString)
                    .toList();
        }
    }

    /** What pods read. */
    private List<String> contents() throws IOException {
        var found = new ArrayList<String>();
        for (Path mount : world.workspace().mounts()) {
            if (mount.equals(world.pool())) {
                continue;
            }
            if (!Files.isDirectory(mount)) {
                try (var stream = Files.newInputStream(mount)) {
                    found.add(mount + " begins with " + checksum(stream, RAW_BYTES));
                }
                continue;
            }
            try (var entries = Files.list(mount)) {
                for (Path entry :
                        entries.filter(file -> Files.isRegularFile(file)).toList()) {
                    try (var stream = Files.newInputStream(entry)) {
                        found.add(entry + " holds " + checksum(stream, Integer.MAX_VALUE));
                    }
                }
            }
        }
        return found;
    }

    static String checksum(InputStream stream, int limit) throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(stream.readNBytes(limit));
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
