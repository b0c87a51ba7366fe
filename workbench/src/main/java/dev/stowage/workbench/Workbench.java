package dev.stowage.workbench;

import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of the workbench, which ./stowage offers beside those of the program. */
@Command(
        name = "stowage",
        description = "The workbench of Stowage.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        subcommands = {ClusterCommand.class, ImageCommand.class, TryCommand.class, E2eCommand.class})
public final class Workbench {
    private Workbench() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        var commands = new CommandLine(new Workbench()).setExecutionExceptionHandler((failure, command, result) -> {
            if (failure instanceof WorkbenchException) {
                command.getErr().println("stowage: " + failure.getMessage());
                return 1;
            }
            throw failure;
        });
        // Options after kubectl's own command are for kubectl.
        subcommand(subcommand(commands, "cluster"), "kubectl")
                .setStopAtPositional(true)
                .setUnmatchedOptionsArePositionalParams(true);
        return commands;
    }

    private static CommandLine subcommand(CommandLine of, String name) {
        return Objects.requireNonNull(of.getSubcommands().get(name), name);
    }
}
