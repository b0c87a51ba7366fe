package dev.stowage.cli;

import dev.stowage.cli.array.ArrayCommand;
import dev.stowage.cli.bench.BenchCommand;
import dev.stowage.cli.driver.DriverCommand;
import dev.stowage.cli.driver.Preload;
import dev.stowage.cli.initiator.InitiatorCommand;
import dev.stowage.cli.manager.ManagerCommand;
import dev.stowage.cli.sidecar.SidecarCommand;
import dev.stowage.cli.tour.TryCommand;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program: one process, whose sub-command is its role. */
@Command(
        name = "stowage",
        description = "Volumes for Kubernetes from the storage you already have.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class Stowage {

    private record Role(String name, Class<?> command) {}

    private static final List<Role> ROLES = List.of(
            new Role("try", TryCommand.class),
            new Role("driver", DriverCommand.class),
            new Role("sidecar", SidecarCommand.class),
            new Role("array", ArrayCommand.class),
            new Role("initiator", InitiatorCommand.class),
            new Role("manager", ManagerCommand.class),
            new Role("bench", BenchCommand.class),
            new Role("version", VersionCommand.class),
            new Role("rehearsal", RehearsalCommand.class));

    private Stowage() {}

    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals("driver")) {
            Preload.begin();
        }
        System.exit(commandLine(arguments).execute(arguments));
    }

    /** Of the commands only the one that is asked for, if it is one: to read the options of all takes a good part of a driver's start. */
    static CommandLine commandLine(String... arguments) {
        var line = new CommandLine(new Stowage());
        var asked = ROLES.stream()
                .filter(role -> arguments.length > 0 && role.name().equals(arguments[0]))
                .toList();
        (asked.isEmpty() ? ROLES : asked).forEach(role -> line.addSubcommand(role.name(), role.command()));
        Optional.ofNullable(line.getSubcommands().get("sidecar"))
                .ifPresent(sidecar -> sidecar.setUnmatchedOptionsArePositionalParams(true));
        return line;
    }
}
