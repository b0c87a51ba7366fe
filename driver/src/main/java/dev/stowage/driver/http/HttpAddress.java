package dev.stowage.driver.http;

import dev.stowage.core.error.StowageException;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;

/**
 * Where HTTP is served.
 *
 * @param host empty for every address of the machine
 * @param port zero for any that is free
 */
public record HttpAddress(String host, int port) {

    private static final Pattern SHAPE = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([A-Za-z0-9.-]*)):([0-9]{1,5})");
    private static final int LARGEST_PORT = 65_535;

    public HttpAddress {
        if (port < 0 || port > LARGEST_PORT) {
            throw StowageException.invalid("http address: port %d is not one from 0 to %d", port, LARGEST_PORT);
        }
    }

    /** Reads {@code HOST:PORT}, {@code [IPV6]:PORT} or {@code :PORT}. */
    public static HttpAddress parse(String text) {
        var match = SHAPE.matcher(text);
        if (!match.matches()) {
            throw StowageException.invalid(
                    "http address: expected HOST:PORT such as 127.0.0.1:9808, [::1]:9808 or :9808");
        }
        String host = match.group(1) == null ? match.group(2) : match.group(1);
        return new HttpAddress(host, Integer.parseInt(match.group(3)));
    }

    public InetSocketAddress resolve() {
        var address = host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw StowageException.invalid("http address %s: the host is not known", this);
        }
        return address;
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
