package dev.stowage.cli;

import dev.stowage.cli.bench.BenchCommand;
import dev.stowage.cli.driver.DriverCommand;
import dev.stowage.cli.tour.TryCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program: one process, whose sub-command is its role. */
@Command(
        name = "stowage",
        description = "Volumes for Kubernetes from the storage you already have.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            TryCommand.class,
            DriverCommand.class,
            BenchCommand.class,
            VersionCommand.class,
            RehearsalCommand.class
        })
public final class Stowage {
    private Stowage() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Stowage());
    }
}
