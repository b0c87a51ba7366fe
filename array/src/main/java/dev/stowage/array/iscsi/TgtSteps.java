package dev.stowage.array.iscsi;

import dev.stowage.array.iscsi.TgtView.Served;
import dev.stowage.array.iscsi.TgtView.ServedUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What it takes to let a server in and to shut it out, from the commands that tgt has. */
final class TgtSteps {

    private final TgtCommands tgt;

    TgtSteps(TgtCommands tgt) {
        this.tgt = tgt;
    }

    /** The target and who may prove themselves to it; nobody is let in yet. */
    void make(Server server) {
        tgt.make(server.number(), server.target());
        bindAccounts(server, List.of());
    }

    /** Ends all connections and takes a unit away. Nobody is let in again before the caller says so. */
    void fence(Server server, int lun) {
        tgt.forbid(server.number(), server.initiator());
        tgt.disconnect(server.number());
        tgt.withdraw(server.number(), lun);
    }

    /** Takes everything away, and then the target itself. */
    void shut(Server server, Collection<Integer> luns) {
        tgt.forbid(server.number(), server.initiator());
        tgt.disconnect(server.number());
        luns.forEach(lun -> tgt.withdraw(server.number(), lun));
        tgt.delete(server.number());
        server.own().ifPresent(own -> tgt.forgetAccount(own.user()));
    }

    /** The same with a target of which no more is known than what it serves. */
    void shut(Served served) {
        served.admitted().forEach(initiator -> tgt.forbid(served.number(), initiator));
        tgt.disconnect(served.number());
        served.units().stream()
                .filter(unit -> unit.lun() != 0)
                .forEach(unit -> tgt.withdraw(served.number(), unit.lun()));
        tgt.delete(served.number());
    }

    /** Shuts out whoever was let in by the old rules. Nobody is let in by the new ones yet. */
    void changeRules(Server before, Server after) {
        tgt.forbid(before.number(), before.initiator());
        before.own().ifPresent(own -> tgt.forgetAccount(own.user()));
        after.own().ifPresent(own -> bindOwn(after, own));
        tgt.disconnect(before.number());
    }

    /** Keeps what is served rightly, so that initiators notice nothing, and takes away the rest. Returns what is kept. */
    List<Unit> takeOver(Export export, Served running) {
        var server = export.server();
        for (String other : running.admitted()) {
            if (!other.equals(server.initiator())) {
                tgt.forbid(server.number(), other);
                tgt.disconnect(server.number());
            }
        }
        var kept = new ArrayList<Unit>();
        for (ServedUnit served : running.units()) {
            var wanted = export.units().stream().filter(served::serves).findFirst();
            if (wanted.isPresent()) {
                kept.add(wanted.get());
            } else if (served.lun() != 0) {
                fence(server, served.lun());
            }
        }
        bindAccounts(server, running.accounts());
        return kept;
    }

    private void bindAccounts(Server server, List<String> bound) {
        tgt.account(server.account());
        if (!bound.contains(server.account().user())) {
            tgt.bind(server.number(), server.account().user(), false);
        }
        server.own().ifPresent(own -> bindOwn(server, own));
    }

    /** The secret may be another than before, so the account is made anew. */
    private void bindOwn(Server server, Server.Account own) {
        tgt.forgetAccount(own.user());
        tgt.account(own);
        tgt.bind(server.number(), own.user(), true);
    }
}
