package dev.stowage.linux.mount;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The kernel's mount table as this process sees it. Lines that are not asked for are passed over without being decoded. */
final class MountTable {
    private static final Path FILE = Path.of("/proc/self/mountinfo");

    private final byte[] table;

    MountTable(byte[] table) {
        this.table = table;
    }

    static MountTable read() {
        try {
            return new MountTable(Files.readAllBytes(FILE));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read the mount table " + FILE, failure);
        }
    }

    List<MountPoint> all() {
        return select(line -> true);
    }

    List<MountPoint> at(Path target) {
        var wanted = escape(target);
        return select(line -> line.fieldIs(4, wanted));
    }

    List<MountPoint> ofDevice(int major, int minor) {
        var wanted = (major + ":" + minor).getBytes(StandardCharsets.US_ASCII);
        return select(line -> line.fieldIs(2, wanted));
    }

    private List<MountPoint> select(Predicate<Line> wanted) {
        var found = new ArrayList<MountPoint>();
        for (int start = 0; start < table.length; ) {
            int end = start;
            while (end < table.length && table[end] != '\n') {
                end++;
            }
            var line = new Line(table, start, end);
            if (end > start && wanted.test(line)) {
                found.add(line.parse());
            }
            start = end + 1;
        }
        return found;
    }

    /** In the places of mounts the kernel writes space, tab, newline and backslash as three octal digits. */
    private static byte[] escape(Path path) {
        var text = new StringBuilder();
        for (var character : path.toString().toCharArray()) {
            switch (character) {
                case ' ' -> text.append("\\040");
                case '\t' -> text.append("\\011");
                case '\n' -> text.append("\\012");
                case '\\' -> text.append("\\134");
                default -> text.append(character);
            }
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @SuppressWarnings("ArrayRecordComponent") // a view of the table, never compared
    private record Line(byte[] table, int start, int end) {
        boolean fieldIs(int index, byte[] wanted) {
            int from = start;
            for (int field = 0; field < index; field++) {
                while (from < end && table[from] != ' ') {
                    from++;
                }
                from++;
            }
            var to = from + wanted.length;
            return to < end && table[to] == ' ' && Arrays.equals(table, from, to, wanted, 0, wanted.length);
        }

        MountPoint parse() {
            var fields = new String(table, start, end - start, StandardCharsets.UTF_8).split(" ", -1);
            // Optional fields follow the options; a lone dash ends them.
            int dash = 6;
            while (!fields[dash].equals("-")) {
                dash++;
            }
            var device = fields[2].split(":", 2);
            return new MountPoint(
                    Integer.parseInt(fields[0]),
                    Integer.parseInt(fields[1]),
                    Integer.parseInt(device[0]),
                    Integer.parseInt(device[1]),
                    unescape(fields[3]),
                    path(fields[4]),
                    options(fields[5]),
                    unescape(fields[dash + 1]),
                    unescape(fields[dash + 2]),
                    options(fields[dash + 3]));
        }

        private static Path path(String escaped) {
            try {
                return Path.of(unescape(escaped));
            } catch (InvalidPathException notInThisLocale) {
                // Someone else's mount, with a name that Java cannot write here. It must still be counted among the
                // mounts of its device, so it is shown in a readable form.
                var text = new StringBuilder();
                for (var unit : escaped.getBytes(StandardCharsets.UTF_8)) {
                    text.append(unit < 0 ? "\\%03o".formatted(unit & 0xFF) : String.valueOf((char) unit));
                }
                return Path.of(text.toString());
            }
        }

        private static Set<String> options(String field) {
            return new HashSet<>(Arrays.asList(unescape(field).split(",", -1)));
        }

        private static String unescape(String field) {
            if (field.indexOf('\\') < 0) {
                return field;
            }
            var text = new StringBuilder(field.length());
            for (int i = 0; i < field.length(); i++) {
                if (field.charAt(i) == '\\' && i + 3 < field.length() && octal(field, i + 1)) {
                    text.append((char) Integer.parseInt(field, i + 1, i + 4, 8));
                    i += 3;
                } else {
                    text.append(field.charAt(i));
                }
            }
            return text.toString();
        }

        private static boolean octal(String field, int from) {
            for (int i = from; i < from + 3; i++) {
                if (field.charAt(i) < '0' || field.charAt(i) > '7') {
                    return false;
                }
            }
            return true;
        }
    }
}
