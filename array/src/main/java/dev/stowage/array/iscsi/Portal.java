package dev.stowage.array.iscsi;

import dev.stowage.core.error.StowageException;
import java.util.regex.Pattern;

/** Where the target listens. IPv6 addresses are in brackets. */
public record Portal(String host, int port) {

    private static final Pattern SHAPE = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[0-9.]+):([0-9]{1,5})");
    private static final int LARGEST_PORT = 65_535;

    /** Reads {@code ADDRESS:PORT} or {@code [IPV6]:PORT}. */
    public static Portal parse(String text) {
        var match = SHAPE.matcher(text);
        if (!match.matches() || Integer.parseInt(match.group(2)) > LARGEST_PORT) {
            throw StowageException.invalid(
                    "portal '%s': expected an address and a port, such as 127.0.0.1:3260 or [::1]:3260", text);
        }
        return new Portal(match.group(1), Integer.parseInt(match.group(2)));
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
