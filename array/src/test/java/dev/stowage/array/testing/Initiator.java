package dev.stowage.array.testing;

import dev.stowage.array.iscsi.Portal;
import dev.stowage.linux.command.Commands;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A real iSCSI initiator that is not ours: libiscsi, as QEMU uses it. */
public record Initiator(Portal portal, String target, int lun, String iqn, String user, String secret) {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    public Initiator as(String otherIqn) {
        return new Initiator(portal, target, lun, otherIqn, user, secret);
    }

    public Initiator through(Portal other) {
        return new Initiator(other, target, lun, iqn, user, secret);
    }

    public Initiator with(String otherUser, String otherSecret) {
        return new Initiator(portal, target, lun, iqn, otherUser, otherSecret);
    }

    /** Runs commands of qemu-io, such as {@code write -P 7 0 4k}, and returns how that ended. */
    public Commands.Result io(String... commands) {
        return Commands.query(PATIENCE, arguments(List.of(commands)));
    }

    /** The same with commands that only read, also of a volume that must not be written. */
    public Commands.Result look(String... commands) {
        var arguments = arguments(List.of(commands));
        arguments.add(1, "--read-only");
        return Commands.query(PATIENCE, arguments);
    }

    /** Asks the unit what it is, after the target has proved that it knows this secret. */
    public Commands.Result inquire(String targetUser, String targetSecret) {
        return Commands.query(
                PATIENCE,
                "iscsi-inq",
                "-i",
                iqn,
                "%s?target_user=%s&target_password=%s".formatted(url(), targetUser, targetSecret));
    }

    /** What libiscsi's tools call the unit, with the secret. */
    public String url() {
        return "iscsi://%s%%%s@%s/%s/%d".formatted(user, secret, portal, target, lun);
    }

    /** The same in the background, until it is ended. */
    public Process start(List<String> commands, File output) throws IOException {
        return new ProcessBuilder(arguments(commands))
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
    }

    private List<String> arguments(List<String> commands) {
        var arguments = new ArrayList<>(List.of("qemu-io", "--image-opts"));
        commands.forEach(command -> arguments.addAll(List.of("-c", command)));
        arguments.add("driver=iscsi,transport=tcp,portal=%s,target=%s,lun=%d,user=%s,password=%s,initiator-name=%s"
                .formatted(portal, target, lun, user, secret, iqn));
        return arguments;
    }
}
