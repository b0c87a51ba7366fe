package dev.stowage.cli.sidecar;

import dev.stowage.cli.UntilStopped;
import dev.stowage.cli.Version;
import dev.stowage.core.error.StowageException;
import dev.stowage.sidecar.Sidecars;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Hands its flags on as they are: the stock sidecars' manner of flags is not this program's. */
@Command(
        name = "sidecar",
        usageHelpAutoWidth = true,
        description = {
            "What stands between Kubernetes and a CSI driver, ours or anybody's, with the flags of the stock sidecars.",
            "`stowage sidecar KIND -help` lists them."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by SIGTERM or SIGINT",
            "1:could not start or go on; the last line on stderr says why",
            "2:wrong usage"
        })
public final class SidecarCommand implements Callable<Integer> {

    private static final Set<String> HELP = Set.of("-h", "-help", "--help");

    @Parameters(index = "0", arity = "0..1", paramLabel = "KIND", description = "attacher, registrar or liveness.")
    private String kind = "--help";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "FLAGS", description = "The sidecar's own flags.")
    private List<String> flags = new ArrayList<>();

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws InterruptedException {
        if (HELP.contains(kind)) {
            command.commandLine().usage(command.commandLine().getOut());
            return 0;
        }
        try {
            return Sidecars.run(Sidecars.Kind.parse(kind), Version.number(), flags);
        } catch (StowageException refused) {
            return UntilStopped.refused(refused);
        }
    }
}
