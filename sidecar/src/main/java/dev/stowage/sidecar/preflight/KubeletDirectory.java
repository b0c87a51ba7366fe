package dev.stowage.sidecar.preflight;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether what a driver mounts below the kubelet's directory can reach the node and other pods. */
final class KubeletDirectory {

    private static final String NAME = "KubeletDirectory";
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");
    private static final int POINT = 4;
    private static final int OPTIONAL_FIELDS = 6;

    private KubeletDirectory() {}

    /** The point is text: some file names of a node are no paths in this process's character set. */
    private record Mount(String point, boolean shared) {

        static Mount parse(String line) {
            var fields = line.split(" ", -1);
            boolean shared = Arrays.stream(fields, Math.min(OPTIONAL_FIELDS, fields.length), fields.length)
                    .takeWhile(field -> !field.equals("-"))
                    .anyMatch(field -> field.startsWith("shared:"));
            return new Mount(unescape(fields[POINT]), shared);
        }

        boolean holds(Path path) {
            return point.equals("/") || (path + "/").startsWith(point + "/");
        }

        private static String unescape(String text) {
            return ESCAPED.matcher(text)
                    .replaceAll(match ->
                            Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(match.group(1), 8))));
        }
    }

    static Finding look(HostProc proc, Path directory) throws IOException {
        var table = proc.lines("1/mountinfo");
        if (table.isEmpty()) {
            return Finding.unknown(NAME, "the node's first process is not seen; is this the /proc of the node?");
        }
        var holder = holder(table.get(), directory);
        if (holder.isEmpty()) {
            return Finding.unknown(NAME, "no mount of the node holds " + directory);
        }
        var mount = holder.get();
        return mount.shared()
                ? new Finding(NAME, true, "%s is on the shared mount %s".formatted(directory, mount.point()))
                : new Finding(
                        NAME,
                        false,
                        "%s is on the mount %s, which is not shared, so that pods do not see what the driver mounts; run mount --make-rshared %s on the node"
                                .formatted(directory, mount.point(), mount.point()));
    }

    /** The mount that a path is on: of the deepest ones above it, the one that was made last. */
    private static Optional<Mount> holder(List<String> table, Path path) {
        return table.stream()
                .filter(line -> line.split(" ", -1).length > OPTIONAL_FIELDS)
                .map(Mount::parse)
                .filter(mount -> mount.holds(path))
                .reduce((one, later) -> later.point().length() >= one.point().length() ? later : one);
    }
}
