package dev.stowage.driver.log;

import java.util.HexFormat;

/** Text from anywhere, made fit for one log line. */
public final class LogText {

    private static final HexFormat HEX = HexFormat.of();

    private LogText() {}

    /** A value of a field: bare when it is one plain word, otherwise in quotes. */
    static void appendValue(StringBuilder line, String value) {
        if (isWord(value)) {
            line.append(value);
        } else {
            appendQuoted(line, value);
        }
    }

    static void appendQuoted(StringBuilder line, String value) {
        line.append('"');
        appendEscaped(line, value);
        line.append('"');
    }

    /** The text with everything escaped that could end the line, the quotes, or what a terminal shows as written. */
    public static void appendEscaped(StringBuilder line, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> line.append("\\\"");
                case '\\' -> line.append("\\\\");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (isHarmless(c)) {
                        line.append(c);
                    } else {
                        line.append("\\u").append(HEX.toHexDigits(c));
                    }
                }
            }
        }
    }

    private static boolean isHarmless(char c) {
        if (c < 0x7f) {
            return c >= 0x20;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    private static boolean isWord(String value) {
        if (value.isEmpty()) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c <= 0x20 || c >= 0x7f || c == '"' || c == '=' || c == '\\') {
                return false;
            }
        }
        return true;
    }
}
