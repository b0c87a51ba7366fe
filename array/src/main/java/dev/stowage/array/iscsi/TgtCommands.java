package dev.stowage.array.iscsi;

import dev.stowage.array.iscsi.TgtControl.Mode;
import dev.stowage.array.iscsi.TgtControl.Operation;
import dev.stowage.array.iscsi.TgtControl.Request;
import dev.stowage.array.iscsi.TgtView.Connection;
import dev.stowage.array.iscsi.TgtView.Served;
import dev.stowage.core.error.StowageException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The single steps that tgt offers. Each may be repeated: what is so already stays so, what is gone already is gone. */
final class TgtCommands {

    private static final int NO_TARGET = 4;
    private static final int NO_UNIT = 5;
    private static final int NO_SESSION = 6;
    private static final int NO_CONNECTION = 7;
    private static final int TARGET_EXISTS = 9;
    private static final int RULE_EXISTS = 12;
    private static final int NO_RULE = 13;
    private static final int USER_EXISTS = 14;
    private static final int NO_USER = 15;
    private static final int TARGET_ACTIVE = 19;
    private static final int UNIT_ACTIVE = 20;

    /** How long commands in flight may take to end once the connections are gone. */
    private static final Duration DRAIN = Duration.ofSeconds(60);

    private final TgtDaemon daemon;

    TgtCommands(TgtDaemon daemon) {
        this.daemon = daemon;
    }

    List<Served> served() {
        return TgtView.targets(
                daemon.query(Request.of(Mode.TARGET, Operation.SHOW)).text());
    }

    List<Connection> connections(int target) {
        var answer = daemon.query(Request.of(Mode.CONNECTION, Operation.SHOW).target(target));
        return answer.code() == NO_TARGET ? List.of() : TgtView.connections(answer.text());
    }

    void make(int target, String name) {
        change(Request.of(Mode.TARGET, Operation.NEW).target(target).text("targetname=" + name), Set.of(TARGET_EXISTS));
    }

    /** Ends its connections, also of those whose login had begun before they were forbidden it. */
    void delete(int target) {
        var request = Request.of(Mode.TARGET, Operation.DELETE).target(target);
        do {
            disconnect(target);
        } while (change(request, Set.of(NO_TARGET, TARGET_ACTIVE)) == TARGET_ACTIVE);
    }

    void account(Server.Account account) {
        change(
                Request.of(Mode.ACCOUNT, Operation.NEW)
                        .text("user=" + account.user() + ",password=" + account.secret()),
                Set.of(USER_EXISTS));
    }

    /** Also takes the account from the targets that it was bound to. */
    void forgetAccount(String user) {
        change(Request.of(Mode.ACCOUNT, Operation.DELETE).text("user=" + user), Set.of(NO_USER));
    }

    /** @param own whether the target proves itself with it, rather than the initiator */
    void bind(int target, String user, boolean own) {
        var request = Request.of(Mode.ACCOUNT, Operation.BIND).target(target).text("user=" + user);
        change(own ? request.asOwn() : request, Set.of());
    }

    void allow(int target, String initiator) {
        change(
                Request.of(Mode.TARGET, Operation.BIND).target(target).text("initiator-name=" + initiator),
                Set.of(RULE_EXISTS));
    }

    /** Does not end connections that are open. */
    void forbid(int target, String initiator) {
        change(
                Request.of(Mode.TARGET, Operation.UNBIND).target(target).text("initiator-name=" + initiator),
                Set.of(NO_RULE, NO_TARGET));
    }

    /** The unit shows up with everything about it at once: until it has a path it is not ready, and one command gives it all. */
    void offer(int target, Unit unit) {
        change(
                Request.of(Mode.UNIT, Operation.NEW)
                        .target(target)
                        .unit(unit.lun())
                        .text("bstype=rdwr"),
                Set.of());
        var all =
                "vendor_id=STOWAGE,product_id=VOLUME,scsi_id=%s,scsi_sn=%s,removable=0,readonly=%d,thin_provisioning=1,path=%s,online=1"
                        .formatted(unit.identity(), unit.identity(), unit.readOnly() ? 1 : 0, unit.path());
        change(
                Request.of(Mode.UNIT, Operation.UPDATE)
                        .target(target)
                        .unit(unit.lun())
                        .text(all),
                Set.of());
    }

    /** Returns when no connection is left, and so nothing in flight. Whoever is still allowed to may connect again. */
    void disconnect(int target) {
        long deadline = System.nanoTime() + DRAIN.toNanos();
        for (var open = connections(target); !open.isEmpty(); open = connections(target)) {
            if (System.nanoTime() > deadline) {
                throw StowageException.unavailable(
                        "target %d still has %d connections after %d s; they were told to end, and nobody is let in",
                        target, open.size(), DRAIN.toSeconds());
            }
            for (Connection connection : open) {
                change(
                        Request.of(Mode.CONNECTION, Operation.DELETE)
                                .target(target)
                                .connection(connection.session(), connection.number()),
                        Set.of(NO_SESSION, NO_CONNECTION, NO_TARGET));
            }
            TgtDaemon.pause();
        }
    }

    /** Deletes a unit as soon as it has no command in flight; false if it had some all the time. */
    boolean withdraw(int target, int lun, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        var request = Request.of(Mode.UNIT, Operation.DELETE).target(target).unit(lun);
        while (change(request, Set.of(NO_TARGET, NO_UNIT, UNIT_ACTIVE)) == UNIT_ACTIVE) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            TgtDaemon.pause();
        }
        return true;
    }

    /** Deletes a unit that nobody can reach any more, as soon as what is in flight has ended. */
    void withdraw(int target, int lun) {
        if (!withdraw(target, lun, DRAIN)) {
            throw StowageException.unavailable(
                    "unit %d of target %d still has commands in flight after %d s: its storage does not answer; nobody is let in meanwhile",
                    lun, target, DRAIN.toSeconds());
        }
    }

    private int change(Request request, Set<Integer> expected) {
        int code = daemon.change(request).code();
        if (code != 0 && !expected.contains(code)) {
            throw StowageException.internal(
                    "the iSCSI target on %s refused a command (%s) with its error %d", daemon.named(), request, code);
        }
        return code;
    }
}
