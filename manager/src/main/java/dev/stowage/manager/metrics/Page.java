package dev.stowage.manager.metrics;

/** Figures in Prometheus' text format, those of one name together. */
final class Page {

    private final StringBuilder text = new StringBuilder(8192);

    /** Begins the figures of a name. */
    Page family(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    /** @param labels names and values in turn */
    Page line(String name, double value, String... labels) {
        text.append(name);
        for (int index = 0; index < labels.length; index += 2) {
            text.append(index == 0 ? '{' : ',')
                    .append(labels[index])
                    .append("=\"")
                    .append(escaped(labels[index + 1]))
                    .append('"');
        }
        if (labels.length > 0) {
            text.append('}');
        }
        text.append(' ').append(written(value)).append('\n');
        return this;
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    /** Counts without a fraction, as people read them. */
    private static String written(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    String text() {
        return text.toString();
    }
}
