package dev.stowage.cli.initiator;

import dev.stowage.cli.UntilStopped;
import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.qemu.InitiatorServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs apart from the driver, so that restarting the driver does not stop I/O. */
@Command(
        name = "initiator",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "An iSCSI initiator for machines whose kernel has none; drivers ask it through a directory that they share.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by SIGTERM or SIGINT; what is attached stays so, as long as its processes may live",
            "1:could not start; the last line on stderr says why",
            "2:wrong usage",
            "3:the machine lacks something; the message says what"
        })
public final class InitiatorCommand implements Callable<Integer> {

    private static final Logger log = LoggerFactory.getLogger(InitiatorCommand.class);

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            defaultValue = "/run/stowage/initiator",
            description = "What the drivers share with it, default ${DEFAULT-VALUE}. It must not outlive a reboot.")
    private Path directory = Path.of("");

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description =
                    "How long a target may be silent before whoever waits for it gets errors, default ${DEFAULT-VALUE}.")
    private int patience;

    @Mixin
    private UntilStopped running = new UntilStopped();

    @Override
    public Integer call() throws InterruptedException {
        return running.run(this::serve);
    }

    private void serve(CountDownLatch stop) throws InterruptedException {
        if (patience < 1) {
            throw StowageException.invalid("--patience has to be at least 1 second");
        }
        try (var _ = InitiatorServer.start(directory.toAbsolutePath().normalize(), Duration.ofSeconds(patience))) {
            log.info("the initiator serves {}", directory);
            stop.await();
        }
    }
}
