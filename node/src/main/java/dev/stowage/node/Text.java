package dev.stowage.node;

/** Text from outside, made fit for a message. */
final class Text {

    private static final int SHOWN = 60;

    private Text() {}

    /** The value, short, on one line and with nothing invisible in it. */
    static String quoted(String value) {
        var shown = new StringBuilder("'");
        value.codePoints().limit(SHOWN).forEach(c -> {
            if (c >= 0x20 && c < 0x7f) {
                shown.append((char) c);
            } else {
                shown.append("\\u{").append(Integer.toHexString(c)).append('}');
            }
        });
        return shown.append(value.codePointCount(0, value.length()) > SHOWN ? "…'" : "'")
                .toString();
    }

    /** Why something failed, for a message. */
    static String reason(Throwable failure) {
        var message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }
}
