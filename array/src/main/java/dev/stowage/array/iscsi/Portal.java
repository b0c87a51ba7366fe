package dev.stowage.array.iscsi;

import dev.stowage.core.error.StowageException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;

/** Where the target listens. IPv6 addresses are in brackets. */
public record Portal(String host, int port) {

    private static final Pattern SHAPE =
            Pattern.compile("(\\[[0-9a-fA-F:.]+]|(?:[0-9]{1,3}\\.){3}[0-9]{1,3}):([0-9]{1,5})");
    private static final int LARGEST_PORT = 65_535;

    /** Reads {@code ADDRESS:PORT} or {@code [IPV6]:PORT}. */
    public static Portal parse(String text) {
        var match = SHAPE.matcher(text);
        if (!match.matches() || Integer.parseInt(match.group(2)) > LARGEST_PORT) {
            throw StowageException.invalid(
                    "portal '%s': expected an address and a port, such as 127.0.0.1:3260 or [::1]:3260", text);
        }
        var portal = new Portal(match.group(1), Integer.parseInt(match.group(2)));
        if (portal.address().getAddress().isAnyLocalAddress()) {
            throw StowageException.invalid(
                    "portal '%s': initiators are told to connect there, so it has to be one address of this machine; give several portals for several",
                    text);
        }
        return portal;
    }

    static Portal of(InetSocketAddress address) {
        var host = address.getAddress().getHostAddress();
        return new Portal(host.indexOf(':') < 0 ? host : "[" + host + "]", address.getPort());
    }

    /** The same, however the address is spelled. */
    InetSocketAddress address() {
        try {
            return new InetSocketAddress(InetAddress.ofLiteral(plainHost()), port);
        } catch (IllegalArgumentException malformed) {
            throw StowageException.invalid("portal '%s': %s is not an address", this, host);
        }
    }

    /** The address without brackets. */
    public String plainHost() {
        return isSix() ? host.substring(1, host.length() - 1) : host;
    }

    public boolean isSix() {
        return host.startsWith("[");
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
