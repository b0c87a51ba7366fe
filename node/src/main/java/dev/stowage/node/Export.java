package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import java.util.regex.Pattern;

/**
 * A filesystem that a server exports by NFS.
 *
 * @param host the server's address or name, without brackets
 */
public record Export(String host, String path) {

    private static final Pattern FORM = Pattern.compile(
            "(?:(?<host>[A-Za-z0-9][A-Za-z0-9.-]{0,252})|\\[(?<six>[0-9A-Fa-f:.]{2,45})\\]):(?<path>(?:/[A-Za-z0-9._+=@-]{1,255}){1,32})/*");

    /** Reads a text such as {@code 192.0.2.1:/export/x}; an IPv6 address is in brackets. */
    public static Export parse(VolumeId volume, String text) {
        var match = FORM.matcher(text);
        if (!match.matches() || (match.group("path") + "/").matches(".*/\\.{1,2}/.*")) {
            throw StowageException.invalid(
                    "volume %s: %s is not what a server exports; expected ADDRESS:/PATH with plain characters",
                    volume, Text.quoted(text));
        }
        var six = match.group("six");
        return new Export(six == null ? match.group("host") : six, match.group("path"));
    }

    /** As the kernel shows it in the mount table. */
    public String source() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + path;
    }

    @Override
    public String toString() {
        return source();
    }
}
