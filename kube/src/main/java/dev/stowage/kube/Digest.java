package dev.stowage.kube;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A short text made from any other, fit for the name of a resource: the same for the same, and never for two. */
public final class Digest {

    private static final int DIGITS = 32;

    private Digest() {}

    /**
     * Of a tree of maps, lists and values. The order of a map's entries does not count: it may be another one in another process.
     *
     * @param tree as {@code KubernetesSerialization.convertValue(object, Map.class)} makes one
     */
    public static String ofTree(Map<?, ?> tree) {
        return of(String.valueOf(sorted(tree)));
    }

    private static @Nullable Object sorted(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                var entries = new TreeMap<String, @Nullable Object>();
                map.forEach((key, each) -> entries.put(String.valueOf(key), sorted(each)));
                yield entries;
            }
            case List<?> list -> list.stream().map(Digest::sorted).toList();
            // So that no text can be taken for the end of another.
            case String text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            case null, default -> value;
        };
    }

    public static String of(String text) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
