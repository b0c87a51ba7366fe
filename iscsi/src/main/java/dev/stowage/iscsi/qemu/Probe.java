package dev.stowage.iscsi.qemu;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.Portal;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.command.Commands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Asks a unit for its serial number, in a login of its own. QEMU passes no such question on, and tells less about why a login failed.
 *
 * <p>Where the target has to prove itself, it is this login that demands it: QEMU's own cannot.
 */
final class Probe {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Pattern SERIAL = Pattern.compile("Unit Serial Number:\\[(.*)\\]");
    private static final List<String> REFUSALS =
            List.of("Authentication fail", "Target not found", "Authorization failure");

    /** What a unit told. */
    record Found(String serial, Portal portal) {}

    private Probe() {}

    /** Asks through the first portal that answers. */
    static Found ask(Iqn initiator, IscsiUnit unit) {
        var reasons = new ArrayList<String>();
        for (var portal : unit.portals()) {
            try {
                var result = Commands.query(PATIENCE, secrets(unit), arguments(initiator, unit, portal));
                var serial = SERIAL.matcher(result.stdout());
                if (result.exitCode() == 0 && serial.find()) {
                    return new Found(serial.group(1).strip(), portal);
                }
                refuse(unit, portal, result.stderr().strip());
                reasons.add(portal + ": "
                        + result.stderr().strip().lines().findFirst().orElse("no serial number"));
            } catch (CommandFailedException failure) {
                reasons.add(portal + ": " + failure.getMessage());
            }
        }
        throw StowageException.unavailable(
                "%s cannot be reached (%s); check the network between this node and the target",
                unit.address(), String.join("; ", reasons));
    }

    /** What another portal of the target would refuse as well. */
    private static void refuse(IscsiUnit unit, Portal portal, String said) {
        if (said.contains("response from the target")) {
            throw StowageException.notPossible(
                    "the target of %s at %s does not know the secret that it has to prove itself with; it may not be the one it claims to be",
                    unit.address(), portal);
        }
        if (said.contains("LOGICAL_UNIT_NOT_SUPPORTED")) {
            throw StowageException.notPossible(
                    "there is no %s at %s: it is not attached to this node, or no more", unit.address(), portal);
        }
        if (REFUSALS.stream().anyMatch(said::contains)) {
            throw StowageException.notPossible(
                    "the target refuses this node's login to %s at %s (%s): check the CHAP user and secret, and whether the volume is "
                            + "attached to this node's initiator",
                    unit.address(), portal, said.lines().findFirst().orElse(""));
        }
    }

    private static List<String> arguments(Iqn initiator, IscsiUnit unit, Portal portal) {
        var address = unit.address();
        return List.of(
                "iscsi-inq",
                "-i",
                initiator.value(),
                "-e",
                "1",
                "-c",
                "128",
                "iscsi://%s/%s/%d".formatted(portal, address.target(), address.lun()));
    }

    private static Map<String, String> secrets(IscsiUnit unit) {
        var environment = new HashMap<String, String>();
        unit.chap().ifPresent(chap -> {
            environment.put("LIBISCSI_CHAP_USERNAME", chap.initiator().user());
            environment.put("LIBISCSI_CHAP_PASSWORD", chap.initiator().password());
            chap.target().ifPresent(target -> {
                environment.put("LIBISCSI_CHAP_TARGET_USERNAME", target.user());
                environment.put("LIBISCSI_CHAP_TARGET_PASSWORD", target.password());
            });
        });
        return environment;
    }
}
