package dev.stowage.backend.vsc.central.resource;

import dev.stowage.core.id.RequestName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Names of resources. They are those of the requests wherever Kubernetes takes them, so that people find one by the other. */
public final class Names {

    private static final Pattern RESOURCE =
            Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");
    private static final int DIGITS = 32;

    private Names() {}

    public static String volume(RequestName name) {
        return fit("volume-", name);
    }

    public static String snapshot(RequestName name) {
        return fit("snapshot-", name);
    }

    public static String attachment(String volume, String node) {
        return volume + "." + node;
    }

    private static String fit(String prefix, RequestName name) {
        return RESOURCE.matcher(name.value()).matches() ? name.value() : prefix + digest(name.value());
    }

    private static String digest(String text) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
