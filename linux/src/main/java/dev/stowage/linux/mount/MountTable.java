package dev.stowage.linux.mount;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Reads lines of /proc/self/mountinfo. */
final class MountTable {

    private MountTable() {}

    static MountPoint parse(String line) {
        String[] fields = line.split(" ");
        int separator = 6;
        while (!fields[separator].equals("-")) {
            separator++;
        }
        String[] device = fields[2].split(":");
        return new MountPoint(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                Integer.parseInt(device[0]),
                Integer.parseInt(device[1]),
                unescaped(fields[3]),
                Path.of(unescaped(fields[4])),
                Set.of(fields[5].split(",")),
                fields[separator + 1],
                unescaped(fields[separator + 2]),
                options(fields.length > separator + 3 ? fields[separator + 3] : ""));
    }

    /** A filesystem may repeat an option. */
    private static Set<String> options(String text) {
        return Set.copyOf(List.of(text.split(",")));
    }

    /** Space, tab, newline and backslash stand there as octal numbers. */
    static String unescaped(String field) {
        if (field.indexOf('\\') < 0) {
            return field;
        }
        var text = new StringBuilder();
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c == '\\' && i + 3 < field.length()) {
                text.append((char) Integer.parseInt(field.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
