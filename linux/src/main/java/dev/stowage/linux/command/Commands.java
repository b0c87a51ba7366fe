package dev.stowage.linux.command;

import java.time.Duration;
import java.util.List;

public final class Commands {
    private Commands() {}

    public record Result(List<String> arguments, int exitCode, String stdout, String stderr) {
        public Result orThrow() {
            throw new UnsupportedOperationException();
        }
    }

    public static Result run(Duration limit, List<String> arguments) {
        throw new UnsupportedOperationException();
    }

    public static Result run(Duration limit, String... arguments) {
        throw new UnsupportedOperationException();
    }

    public static Result query(Duration limit, List<String> arguments) {
        throw new UnsupportedOperationException();
    }

    public static Result query(Duration limit, String... arguments) {
        throw new UnsupportedOperationException();
    }
}
