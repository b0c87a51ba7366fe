package dev.stowage.cli.bench;

import java.util.Locale;

/** Whether an aim was met, and by how much. */
record Verdict(String aim, String operation, Finding finding, String figure) {

    enum Finding {
        MET,
        MISSED,
        NOT_MEASURED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    static Verdict atMost(String aim, String operation, double value, double limit, String figure) {
        return value <= limit
                ? new Verdict(aim, operation, Finding.MET, figure)
                : new Verdict(
                        aim,
                        operation,
                        Finding.MISSED,
                        String.format(Locale.ROOT, "%s; %.2f times the limit", figure, value / limit));
    }

    static Verdict unknown(String aim, String operation, String why) {
        return new Verdict(aim, operation, Finding.NOT_MEASURED, why);
    }
}
