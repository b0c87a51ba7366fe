package dev.stowage.sidecar.json;

/** Text as JSON has it. */
public final class JsonText {

    private JsonText() {}

    public static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints().forEach(letter -> {
            if (letter == '"' || letter == '\\') {
                quoted.append('\\').appendCodePoint(letter);
            } else if (letter < ' ') {
                quoted.append("\\u%04x".formatted(letter));
            } else {
                quoted.appendCodePoint(letter);
            }
        });
        return quoted.append('"').toString();
    }
}
