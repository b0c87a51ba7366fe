package dev.stowage.cli.tour;

import dev.stowage.core.volume.Sizes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "try",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the main job on this machine and shows the result.",
            "Everything happens in one directory and is gone at the end, unless --keep is given."
        })
public final class TryCommand implements Callable<Integer> {

    @Option(names = "--keep", description = "Leave the driver running and the volumes mounted, and say how to go on.")
    private boolean keep;

    /** The launcher gives this to the workbench, which a checkout has and an image has not. */
    @Option(
            names = "--kubernetes",
            description = "Show it in a whole Kubernetes instead; see `./stowage try --kubernetes --help`.")
    private boolean kubernetes;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where to work (default: a new directory in ${java.io.tmpdir}).")
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    @Override
    public Integer call() throws Exception {
        if (kubernetes) {
            System.err.println("stowage: --kubernetes needs the ./stowage script of a checkout; start it through that");
            return 2;
        }
        long room = Files.getFileStore(parent).getUsableSpace();
        if (room < Tour.POOL_SIZE + 256 * Sizes.MIB) {
            System.err.printf(
                    "stowage: %s has %s free, and the tour needs %s; name another place with --directory%n",
                    parent, Sizes.text(room), Sizes.text(Tour.POOL_SIZE + 256 * Sizes.MIB));
            return 3;
        }
        var story = new Story(
                System.out, System.console() != null && System.console().isTerminal());
        Path workspace = Files.createTempDirectory(parent, "stowage-try-");
        var tour = new Tour(story, workspace, launcher());
        var interrupted = Thread.ofPlatform().unstarted(tour::abandon);
        Runtime.getRuntime().addShutdownHook(interrupted);
        boolean done = tour.run(keep);
        Runtime.getRuntime().removeShutdownHook(interrupted);
        return done ? 0 : 1;
    }

    /** The program that started us, so that the driver starts the same way. */
    private static List<String> launcher() {
        String home = System.getenv("STOWAGE_HOME");
        if (home == null) {
            throw new IllegalStateException("STOWAGE_HOME is not set; start this through the ./stowage script");
        }
        return List.of(Path.of(home, "stowage").toString());
    }
}
