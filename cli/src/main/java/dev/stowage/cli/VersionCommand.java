package dev.stowage.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "version", description = "Print the version.", mixinStandardHelpOptions = true)
final class VersionCommand implements Runnable {
    @Spec
    private CommandSpec command;

    @Override
    public void run() {
        command.root().commandLine().printVersionHelp(command.commandLine().getOut());
    }
}
