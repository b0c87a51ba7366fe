package dev.stowage.iscsi;

import dev.stowage.iscsi.kernel.OpenIscsi;
import dev.stowage.iscsi.qemu.QemuInitiator;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.command.Commands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the initiator that this machine can have. */
public final class Initiators {

    private static final Logger log = LoggerFactory.getLogger(Initiators.class);
    private static final Path TRANSPORT = Path.of("/sys/class/iscsi_transport/tcp");
    private static final List<Path> TOOL = List.of(Path.of("/usr/sbin/iscsiadm"), Path.of("/sbin/iscsiadm"));
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Duration LOADING = Duration.ofSeconds(20);

    private Initiators() {}

    /**
     * The kernel's initiator where there is one, otherwise the one that serves {@code shared}.
     *
     * @param state where a name is kept if the machine has none
     */
    public static Initiator choose(Path state, Path shared) {
        boolean tool = TOOL.stream().anyMatch(Files::exists);
        if (tool && transport()) {
            log.info("units are reached by the kernel's iSCSI initiator");
            return kernel();
        }
        log.info(
                "units are reached through the initiator that serves {}, because {}",
                shared,
                tool ? "the kernel has no iSCSI" : "open-iscsi is not installed");
        return served(state, shared);
    }

    /** The kernel's initiator, whose name is where open-iscsi keeps it. */
    public static Initiator kernel() {
        return new OpenIscsi(InitiatorName.readOrMake(InitiatorName.OF_OPEN_ISCSI), PATIENCE);
    }

    /** The initiator that serves {@code shared}, with a name of its own in {@code state}. */
    public static Initiator served(Path state, Path shared) {
        return new QemuInitiator(InitiatorName.readOrMake(state.resolve("initiatorname.iscsi")), shared);
    }

    private static boolean transport() {
        if (Files.exists(TRANSPORT)) {
            return true;
        }
        try {
            Commands.run(LOADING, "modprobe", "iscsi_tcp");
        } catch (CommandFailedException noModules) {
            log.debug("the kernel's iSCSI cannot be loaded", noModules);
        }
        return Files.exists(TRANSPORT);
    }
}
