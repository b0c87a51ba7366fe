package dev.stowage.array.rest;

import dev.stowage.array.service.Refusal;
import dev.stowage.core.volume.Sizes;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a request says, whether in its address, as a form or in JSON. A name that ends in {@code []} means the same without. */
final class Parameters {

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    Parameters form(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return this;
        }
        for (String pair : text.split("&")) {
            int equals = pair.indexOf('=');
            var name = decode(equals < 0 ? pair : pair.substring(0, equals));
            add(name, equals < 0 ? "" : decode(pair.substring(equals + 1)));
        }
        return this;
    }

    Parameters json(String text) {
        if (text.isBlank()) {
            return this;
        }
        if (!(Json.read(text) instanceof Map<?, ?> object)) {
            throw Refusal.invalid("the request's JSON is not an object");
        }
        object.forEach((name, value) -> {
            if (value instanceof List<?> list) {
                list.forEach(each -> add(String.valueOf(name), scalar(String.valueOf(name), each)));
            } else if (value != null) {
                add(String.valueOf(name), scalar(String.valueOf(name), value));
            }
        });
        return this;
    }

    private static String scalar(String name, @Nullable Object value) {
        return switch (value) {
            case String text -> text;
            case Number number -> number.toString();
            case Boolean yes -> yes ? "YES" : "NO";
            case null, default -> throw Refusal.invalid("%s: expected a text, a number or a list of them", name);
        };
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw Refusal.invalid("the request has a malformed escape: %s", malformed.getMessage());
        }
    }

    private void add(String name, String value) {
        var plain = name.endsWith("[]") ? name.substring(0, name.length() - 2) : name;
        values.computeIfAbsent(plain, key -> new ArrayList<>()).add(value);
    }

    /** The value of the first of these names that was given. */
    Optional<String> text(String... names) {
        for (String name : names) {
            var found = values.getOrDefault(name, List.of());
            if (!found.isEmpty() && !found.getFirst().isEmpty()) {
                return Optional.of(found.getFirst());
            }
        }
        return Optional.empty();
    }

    String required(String... names) {
        return text(names).orElseThrow(() -> Refusal.invalid("%s is missing", names[0]));
    }

    /** Values that were given several times, as a list or with commas. */
    List<String> list(String... names) {
        var all = new ArrayList<String>();
        for (String name : names) {
            for (String value : values.getOrDefault(name, List.of())) {
                for (String each : value.split(",")) {
                    if (!each.isBlank()) {
                        all.add(each.strip());
                    }
                }
            }
        }
        return List.copyOf(all);
    }

    boolean yes(String name) {
        return text(name)
                .map(value -> switch (value.toUpperCase(Locale.ROOT)) {
                    case "YES", "TRUE", "1", "ON" -> true;
                    case "NO", "FALSE", "0", "OFF" -> false;
                    default -> throw Refusal.invalid("%s: expected YES or NO, not '%s'", name, value);
                })
                .orElse(false);
    }

    long number(String name, long otherwise) {
        return number(name).orElse(otherwise);
    }

    OptionalLong number(String name) {
        var value = text(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!value.get().matches("[0-9]{1,18}")) {
            throw Refusal.invalid("%s: '%s' is not a whole number", name, value.get());
        }
        return OptionalLong.of(Long.parseLong(value.get()));
    }

    /** A number of gibibytes, in bytes. */
    OptionalLong gibibytes(String name) {
        var number = number(name);
        if (number.isPresent() && number.getAsLong() > Long.MAX_VALUE / Sizes.GIB) {
            throw Refusal.invalid("%s: more than can be counted", name);
        }
        return number.isEmpty() ? number : OptionalLong.of(number.getAsLong() * Sizes.GIB);
    }

    /** The parameters that were given, of these names. */
    Map<String, String> some(List<String> names) {
        var found = new LinkedHashMap<String, String>();
        names.forEach(name -> text(name).ifPresent(value -> found.put(name, value)));
        return found;
    }
}
