package dev.stowage.sidecar.flag;

import dev.stowage.core.error.StowageException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The values of all flags, each known to be one that its flag can have. */
public final class Flags {

    private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");
    private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

    private final Map<String, String> fallbacks;
    private final Map<String, String> given;

    private Flags(Map<String, String> fallbacks, Map<String, String> given) {
        this.fallbacks = fallbacks;
        this.given = given;
    }

    static Flags checked(Map<String, Flag> known, Map<String, String> given) {
        given.forEach((name, value) -> check(Objects.requireNonNull(known.get(name)), value));
        var fallbacks = new LinkedHashMap<String, String>();
        known.forEach((name, flag) -> fallbacks.put(name, flag.fallback()));
        return new Flags(fallbacks, given);
    }

    private static void check(Flag flag, String value) {
        try {
            switch (flag.kind()) {
                case SWITCH -> readSwitch(value);
                case TEXT -> {}
                case DURATION -> GoDuration.parse(value);
                case INTEGER -> readInteger(value);
                case NUMBER -> readNumber(value);
                case MAP -> readMap(value, "=");
                case LABELS -> readMap(value, ":");
            }
        } catch (StowageException.InvalidRequest refused) {
            throw StowageException.invalid("flag -%s: %s", flag.name(), refused.getMessage());
        }
    }

    public boolean isGiven(String name) {
        return given.containsKey(name);
    }

    public String text(String name) {
        return value(name);
    }

    /** A text that may be left out or empty. */
    public Optional<String> optional(String name) {
        return Optional.of(value(name)).filter(text -> !text.isEmpty());
    }

    public boolean isOn(String name) {
        return readSwitch(value(name));
    }

    public Duration duration(String name) {
        return GoDuration.parse(value(name));
    }

    public int integer(String name) {
        return readInteger(value(name));
    }

    public Map<String, String> map(String name) {
        return readMap(value(name), "=");
    }

    public Map<String, String> labels(String name) {
        return readMap(value(name), ":");
    }

    private String value(String name) {
        var value = given.getOrDefault(name, fallbacks.get(name));
        if (value == null) {
            throw StowageException.internal("there is no flag -%s", name);
        }
        return value;
    }

    private static boolean readSwitch(String value) {
        if (TRUE.contains(value)) {
            return true;
        }
        if (FALSE.contains(value)) {
            return false;
        }
        throw StowageException.invalid("\"%s\" is neither true nor false", value);
    }

    private static int readInteger(String value) {
        try {
            return Integer.decode(value);
        } catch (NumberFormatException notANumber) {
            throw StowageException.invalid("\"%s\" is not a whole number", value);
        }
    }

    private static double readNumber(String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException notANumber) {
            throw StowageException.invalid("\"%s\" is not a number", value);
        }
    }

    private static Map<String, String> readMap(String value, String separator) {
        var map = new LinkedHashMap<String, String>();
        if (value.isEmpty()) {
            return map;
        }
        for (String item : value.split(",", -1)) {
            String[] parts = item.split(separator, -1);
            if (parts.length != 2 || parts[0].isBlank()) {
                throw StowageException.invalid("\"%s\" is not KEY%sVALUE", item, separator);
            }
            map.put(parts[0].strip(), parts[1].strip());
        }
        return map;
    }
}
