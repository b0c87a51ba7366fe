package dev.stowage.sidecar.flag;

/**
 * One flag of a sidecar.
 *
 * @param fallback its value when it is not given, as one would write it
 * @param meaning for people who ask for help
 */
public record Flag(String name, Kind kind, String fallback, String meaning) {

    /** What a flag's value is. */
    public enum Kind {
        SWITCH("true|false"),
        TEXT("TEXT"),
        DURATION("DURATION"),
        INTEGER("N"),
        NUMBER("NUMBER"),
        MAP("KEY=VALUE,…"),
        LABELS("KEY:VALUE,…");

        private final String operand;

        Kind(String operand) {
            this.operand = operand;
        }

        String operand() {
            return operand;
        }
    }

    public static Flag of(String name, Kind kind, String fallback, String meaning) {
        return new Flag(name, kind, fallback, meaning);
    }

    /** A flag of the stock sidecar that changes nothing here. */
    public static Flag withoutEffect(String name, Kind kind, String reason) {
        return new Flag(name, kind, kind == Kind.SWITCH ? "false" : "", "Has no effect: " + reason);
    }
}
