package dev.stowage.iscsi;

import dev.stowage.core.error.StowageException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where a target listens. */
public record Portal(String host, int port) {

    private static final int USUAL_PORT = 3260;
    private static final int LARGEST_PORT = 65535;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,253})");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");
    private static final Pattern TEXT = Pattern.compile("(?:\\[([^\\]]*)\\]|([^:\\[\\]]*))(?::([0-9]{1,5}))?");

    public Portal {
        if (!NAME.matcher(host).matches()
                && !(host.contains(":") && IPV6.matcher(host).matches())) {
            throw StowageException.invalid("'%s' is not an address of a portal", host);
        }
        if (port < 1 || port > LARGEST_PORT) {
            throw StowageException.invalid("portal %s has the port %d, which there is not", host, port);
        }
    }

    /** Reads {@code host:port} or {@code [address]:port}; without a port it is the usual one. */
    public static Portal parse(String text) {
        var parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw StowageException.invalid("'%s' is not a portal: write host:port, or [address]:port for IPv6", text);
        }
        var host = parts.group(1) == null ? parts.group(2) : parts.group(1);
        return new Portal(host, parts.group(3) == null ? USUAL_PORT : Integer.parseInt(parts.group(3)));
    }

    /** Reads several, separated by commas. */
    public static List<Portal> parseAll(String text) {
        return Stream.of(text.split(",", -1))
                .map(String::strip)
                .map(Portal::parse)
                .toList();
    }

    @Override
    public String toString() {
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }
}
