package dev.stowage.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Does what every start does, so that the ahead-of-time cache recorded meanwhile holds the classes every start needs. */
@Command(name = "aot-training", hidden = true, description = "Run once while the ahead-of-time cache is recorded.")
final class AotTrainingCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        return Stowage.commandLine().execute("version");
    }
}
