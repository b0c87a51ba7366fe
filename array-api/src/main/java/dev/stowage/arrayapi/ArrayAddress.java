package dev.stowage.arrayapi;

import dev.stowage.core.error.StowageException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/** Where an array's API is: {@code host}, {@code host:port}, or the same with {@code http://} or {@code https://} before it. */
public record ArrayAddress(URI base) {

    private static final Pattern SCHEME = Pattern.compile("^https?://.*");

    /** @param tls whether it is HTTPS when the text does not say */
    public static ArrayAddress parse(String text, boolean tls) {
        String stripped = text.strip();
        String full = SCHEME.matcher(stripped).matches() ? stripped : (tls ? "https://" : "http://") + stripped;
        try {
            var parsed = new URI(full.endsWith("/") ? full.substring(0, full.length() - 1) : full);
            if (parsed.getHost() != null && parsed.getRawPath().isEmpty() && parsed.getRawUserInfo() == null) {
                return new ArrayAddress(parsed);
            }
        } catch (URISyntaxException malformed) {
            // is told below, as any other that is no address
        }
        throw StowageException.invalid(
                "hostname '%s' is no address of an array; expected a host name or an address, and a port if it is not the usual",
                text);
    }

    @Override
    public String toString() {
        return base.getAuthority();
    }
}
