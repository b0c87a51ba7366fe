package dev.stowage.backend.local.cluster.order;

import dev.stowage.core.id.RequestName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of resources. One request always has one resource, whoever of several controllers it comes to, so the name is made from it. */
public final class ResourceNames {

    private static final int DIGITS = 32;

    private ResourceNames() {}

    public static String volume(RequestName name) {
        return "vol-" + digest(name.value());
    }

    public static String snapshot(RequestName name) {
        return "snap-" + digest(name.value());
    }

    public static String group(RequestName name) {
        return "group-" + digest(name.value());
    }

    /** The sign of life of a node. Node names can be as long as a resource's, so that a prefix would not always fit. */
    public static String lease(String driverName, String node) {
        return "stowage-node-" + digest(driverName + " " + node);
    }

    public static String digest(String text) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
