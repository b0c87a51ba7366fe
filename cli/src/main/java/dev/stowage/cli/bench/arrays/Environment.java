package dev.stowage.cli.bench.arrays;

/** What the script that starts this has prepared. */
final class Environment {

    private Environment() {}

    static String required(String variable) {
        String value = System.getenv(variable);
        if (value == null) {
            throw new IllegalStateException(variable + " is not set; start this through the ./stowage script");
        }
        return value;
    }
}
