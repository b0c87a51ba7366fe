package dev.stowage.iscsi.kernel;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.Chap;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.Portal;
import dev.stowage.linux.command.Commands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** open-iscsi's tool, and what its exit codes mean. */
final class Iscsiadm {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SESSION_EXISTS = 15;
    private static final int NO_DAEMON = 20;
    private static final int NO_RECORDS = 21;
    private static final int REFUSED = 24;
    private static final int TARGET_UNKNOWN = 19;

    private final NodeDatabase database;
    private final Duration replacement;

    /** @param replacement how long I/O waits for a lost session before it fails, if no other path is left to try */
    Iscsiadm(NodeDatabase database, Duration replacement) {
        this.database = database;
        this.replacement = replacement;
    }

    /** Logs in through one portal, if that is not done yet. */
    void logIn(IscsiUnit unit, Portal portal) {
        var target = unit.address().target();
        admin("node", "-T", target.value(), "-p", portal.toString(), "-o", "new")
                .orThrow();
        database.set(target, portal, settings(unit.chap()));
        var result = admin("node", "-T", target.value(), "-p", portal.toString(), "--login");
        switch (result.exitCode()) {
            case 0, SESSION_EXISTS -> {}
            case REFUSED ->
                throw StowageException.notPossible(
                        "the target refuses this node's login to %s at %s: check the CHAP user and secret, and whether the volume is "
                                + "attached to this node's initiator",
                        unit.address(), portal);
            case TARGET_UNKNOWN ->
                throw StowageException.notPossible(
                        "there is no target for %s at %s: the volume is not attached to this node, or no more",
                        unit.address(), portal);
            case NO_DAEMON ->
                throw StowageException.unavailable(
                        "iscsid does not run on this machine; start the service of open-iscsi");
            default ->
                throw StowageException.unavailable(
                        "%s cannot be reached at %s (iscsiadm: exit code %d, %s); check the network between this node and the target",
                        unit.address(),
                        portal,
                        result.exitCode(),
                        result.stderr()
                                .strip()
                                .lines()
                                .reduce((_, last) -> last)
                                .orElse("no output"));
        }
    }

    private Map<String, String> settings(Optional<Chap> chap) {
        var settings = new LinkedHashMap<String, String>();
        settings.put("node.startup", "manual");
        // Units of other volumes are none of our business, and a number may belong to another unit tomorrow.
        settings.put("node.session.scan", "manual");
        settings.put("node.session.timeo.replacement_timeout", String.valueOf(replacement.toSeconds()));
        settings.put("node.conn[0].timeo.noop_out_interval", "2");
        settings.put("node.conn[0].timeo.noop_out_timeout", "3");
        settings.put("node.session.initial_login_retry_max", "2");
        settings.put("node.conn[0].timeo.login_timeout", "10");
        settings.put("node.session.auth.authmethod", chap.isPresent() ? "CHAP" : "None");
        chap.ifPresent(accounts -> {
            settings.put("node.session.auth.username", accounts.initiator().user());
            settings.put("node.session.auth.password", accounts.initiator().password());
            accounts.target().ifPresent(target -> {
                settings.put("node.session.auth.username_in", target.user());
                settings.put("node.session.auth.password_in", target.password());
            });
        });
        return settings;
    }

    /** Ends a session, whatever has become of its devices. */
    void logOut(KernelSession session) {
        var result = admin("session", "-r", String.valueOf(session.number()), "--logout");
        if (result.exitCode() != 0 && result.exitCode() != NO_RECORDS) {
            result.orThrow();
        }
    }

    /** Removes what was written down to log in, secrets included. */
    void forget(Iqn target) {
        var result = admin("node", "-T", target.value(), "-o", "delete");
        if (result.exitCode() != 0 && result.exitCode() != NO_RECORDS) {
            result.orThrow();
        }
    }

    private static Commands.Result admin(String mode, String... more) {
        var arguments = new ArrayList<>(List.of("iscsiadm", "-m", mode));
        arguments.addAll(List.of(more));
        return Commands.run(PATIENCE, arguments);
    }
}
