package dev.stowage.workbench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of the workbench, which ./stowage offers beside those of the program. */
@Command(
        name = "stowage",
        description = "The workbench of Stowage.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        subcommands = ClusterCommand.class)
public final class Workbench {
    private Workbench() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Workbench()).setExecutionExceptionHandler((failure, command, result) -> {
            if (failure instanceof WorkbenchException) {
                command.getErr().println("stowage: " + failure.getMessage());
                return 1;
            }
            throw failure;
        });
    }
}
