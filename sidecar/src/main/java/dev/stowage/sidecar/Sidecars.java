package dev.stowage.sidecar;

import dev.stowage.core.error.StowageException;
import dev.stowage.driver.log.Logging;
import dev.stowage.sidecar.attacher.Attacher;
import dev.stowage.sidecar.flag.FlagSet;
import dev.stowage.sidecar.flag.Flags;
import dev.stowage.sidecar.flag.LoggingFlags;
import dev.stowage.sidecar.liveness.Liveness;
import dev.stowage.sidecar.registrar.Registrar;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a sidecar as the process that it is. */
public final class Sidecars {

    private static final Logger LOG = LoggerFactory.getLogger(Sidecars.class);

    /** The sidecars there are. */
    public enum Kind {
        attacher,
        registrar,
        liveness;

        public static Kind parse(String word) {
            return Arrays.stream(values())
                    .filter(kind -> kind.name().equals(word))
                    .findFirst()
                    .orElseThrow(() -> StowageException.invalid(
                            "there is no sidecar %s; there are %s", word, Arrays.toString(values())));
        }
    }

    private Sidecars() {}

    /** Runs a sidecar to its end; returns the process's exit code. */
    public static int run(Kind kind, String version, List<String> arguments) throws InterruptedException {
        var known = flags(kind);
        if (FlagSet.asksForHelp(arguments)) {
            System.out.print("Usage: stowage sidecar " + kind + " [FLAGS]\n" + known.help());
            return 0;
        }
        var flags = known.parse(arguments);
        if (flags.isOn("version")) {
            System.out.println("stowage sidecar " + kind + " " + version);
            return 0;
        }
        Logging.start(LoggingFlags.level(flags), System.err);
        LOG.info("stowage sidecar {} {}", kind, version);
        return run(kind, flags);
    }

    private static FlagSet flags(Kind kind) {
        return switch (kind) {
            case attacher -> Attacher.flags();
            case registrar -> Registrar.flags();
            case liveness -> Liveness.flags();
        };
    }

    private static int run(Kind kind, Flags flags) throws InterruptedException {
        return switch (kind) {
            case attacher -> Attacher.run(flags);
            case registrar -> Registrar.run(flags);
            case liveness -> Liveness.run(flags);
        };
    }
}
