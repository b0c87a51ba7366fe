package dev.stowage.array.journal;

import java.util.Locale;
import java.util.regex.Pattern;

/** The names of the array's objects: a kind and eight hexadecimal digits. A number is never given out twice. */
public enum Ids {
    VOLUME("volume"),
    GROUP("cg"),
    SNAPSHOT("snap"),
    SERVER("srv"),
    POOL("pool");

    /** There is exactly one pool. */
    public static final String THE_POOL = POOL.of(1);

    private final String prefix;
    private final Pattern shape;

    Ids(String prefix) {
        this.prefix = prefix;
        this.shape = Pattern.compile(prefix + "-[0-9a-f]{8}");
    }

    public String of(long number) {
        return String.format(Locale.ROOT, "%s-%08x", prefix, number);
    }

    public boolean matches(String text) {
        return shape.matcher(text).matches();
    }

    /** The number in an id of this kind. */
    public int number(String id) {
        return Integer.parseUnsignedInt(id.substring(prefix.length() + 1), 16);
    }

    String key() {
        return "counter/" + prefix;
    }
}
