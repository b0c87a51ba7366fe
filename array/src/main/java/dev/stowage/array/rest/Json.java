package dev.stowage.array.rest;

import dev.stowage.array.service.Refusal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes JSON: maps, lists, texts, numbers, booleans and null. A library would be larger than the array. */
final class Json {

    private static final int DEEPEST = 32;

    private Json() {}

    static String write(@Nullable Object value) {
        var out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    /** Reads one value and nothing after it. */
    static @Nullable Object read(String text) {
        var reader = new Reader(text);
        var value = reader.value(0);
        reader.end();
        return value;
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        switch (value) {
            case null -> out.append("null");
            case Map<?, ?> map -> {
                var separator = "{";
                for (var entry : map.entrySet()) {
                    out.append(separator);
                    text(String.valueOf(entry.getKey()), out);
                    out.append(':');
                    write(entry.getValue(), out);
                    separator = ",";
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case List<?> list -> {
                var separator = "[";
                for (var each : list) {
                    out.append(separator);
                    write(each, out);
                    separator = ",";
                }
                out.append(list.isEmpty() ? "[]" : "]");
            }
            case Number number -> out.append(number);
            case Boolean bool -> out.append(bool);
            default -> text(value.toString(), out);
        }
    }

    private static void text(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                out.append("\\u").append(HexFormat.of().toHexDigits(c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        @Nullable
        Object value(int depth) {
            if (depth > DEEPEST) {
                throw wrong("is nested too deeply");
            }
            skipSpace();
            return switch (peek()) {
                case '{' -> object(depth);
                case '[' -> list(depth);
                case '"' -> string();
                case 't' -> word("true", true);
                case 'f' -> word("false", false);
                case 'n' -> word("null", null);
                default -> number();
            };
        }

        void end() {
            skipSpace();
            if (at < text.length()) {
                throw wrong("goes on after its end");
            }
        }

        private Map<String, @Nullable Object> object(int depth) {
            var map = new LinkedHashMap<String, @Nullable Object>();
            at++;
            skipSpace();
            if (took('}')) {
                return map;
            }
            do {
                skipSpace();
                if (peek() != '"') {
                    throw wrong("has no name where one must be");
                }
                var name = string();
                skipSpace();
                need(':');
                map.put(name, value(depth + 1));
                skipSpace();
            } while (took(','));
            need('}');
            return map;
        }

        private List<@Nullable Object> list(int depth) {
            var list = new ArrayList<@Nullable Object>();
            at++;
            skipSpace();
            if (took(']')) {
                return list;
            }
            do {
                list.add(value(depth + 1));
                skipSpace();
            } while (took(','));
            need(']');
            return list;
        }

        private String string() {
            var out = new StringBuilder();
            at++;
            while (true) {
                char c = next();
                if (c == '"') {
                    return out.toString();
                }
                if (c < 0x20) {
                    throw wrong("has a control character in a text");
                }
                out.append(c == '\\' ? escaped() : c);
            }
        }

        private char escaped() {
            char c = next();
            return switch (c) {
                case '"', '\\', '/' -> c;
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'u' -> {
                    int code = 0;
                    for (int i = 0; i < 4; i++) {
                        int digit = Character.digit(next(), 16);
                        if (digit < 0) {
                            throw wrong("has a malformed escape");
                        }
                        code = code * 16 + digit;
                    }
                    yield (char) code;
                }
                default -> throw wrong("has an unknown escape");
            };
        }

        private Number number() {
            int from = at;
            while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            var digits = text.substring(from, at);
            try {
                if (digits.matches("-?[0-9]{1,18}")) {
                    return Long.valueOf(digits);
                }
                return Double.valueOf(digits);
            } catch (NumberFormatException malformed) {
                throw wrong("has something that is no value");
            }
        }

        private @Nullable Object word(String word, @Nullable Object meaning) {
            if (!text.startsWith(word, at)) {
                throw wrong("has something that is no value");
            }
            at += word.length();
            return meaning;
        }

        private void skipSpace() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private char peek() {
            if (at >= text.length()) {
                throw wrong("ends too early");
            }
            return text.charAt(at);
        }

        private char next() {
            char c = peek();
            at++;
            return c;
        }

        private boolean took(char c) {
            if (at < text.length() && text.charAt(at) == c) {
                at++;
                return true;
            }
            return false;
        }

        private void need(char c) {
            if (!took(c)) {
                throw wrong("lacks a '" + c + "'");
            }
        }

        private Refusal wrong(String how) {
            return Refusal.invalid("the request's JSON %s, at character %d", how, at);
        }
    }
}
