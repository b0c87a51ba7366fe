package dev.stowage.cli.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes maps, lists, texts, numbers and booleans as JSON. */
final class Json {

    private Json() {}

    static String write(Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> text(entry.getKey().toString()) + ":" + write(entry.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            case List<?> list -> list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
            case Number number -> number.toString();
            case Boolean bool -> bool.toString();
            default -> text(value.toString());
        };
    }

    private static String text(String text) {
        var json = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else if (c < 0x20) {
                json.append(String.format("\\u%04x", c));
            } else {
                json.append((char) c);
            }
        });
        return json.append('"').toString();
    }
}
