package dev.stowage.array.iscsi;

import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serves with the kernel's target, LIO.
 *
 * <p>The kernel keeps what it is told, so that initiators go on while the array is down. It lets go of a unit only when nothing that was
 * sent to it is in flight any more: so the removal, when it returns, is the proof. A target that is disabled has no connections.
 */
public final class LioTarget implements Target {

    /** How long a unit is looked at before it counts as not in use. */
    private static final Duration QUIET = Duration.ofMillis(500);

    private static final String OFF = "NULL";

    private final String prefix;
    private final List<Portal> portals;

    private LioTarget(String prefix, List<Portal> portals) {
        this.prefix = prefix;
        this.portals = List.copyOf(portals);
    }

    public static boolean present() {
        return LioTree.present();
    }

    /**
     * Takes over what the kernel serves for this array already.
     *
     * @param prefix how the names of all targets of this array begin
     * @param serial how the identities of all its units begin, and of no other array's
     */
    public static LioTarget start(String prefix, String serial, List<Portal> portals) {
        if (!present()) {
            throw StowageException.notPossible(
                    "this kernel has no iSCSI target, or its modules target_core_file and iscsi_target_mod cannot be loaded; use tgt");
        }
        var target = new LioTarget(prefix, portals);
        target.requireOwn(serial);
        return target;
    }

    /** Arrays on one machine share the kernel. */
    private void requireOwn(String serial) {
        for (Path target : ours()) {
            for (Path lun : LioTree.below(target.resolve("tpgt_1/lun"))) {
                var told = lun.resolve("unit/wwn/vpd_unit_serial");
                if (Files.exists(told) && !LioTree.read(told).contains(": " + serial)) {
                    throw StowageException.notPossible(
                            "target %s of this machine's kernel belongs to another array; give this one another --name",
                            target.getFileName());
                }
            }
        }
    }

    private List<Path> ours() {
        return LioTree.below(LioTree.TARGETS).stream()
                .filter(target -> target.getFileName().toString().startsWith(prefix))
                .toList();
    }

    private static Path group(Server server) {
        return LioTree.TARGETS.resolve(server.target()).resolve("tpgt_1");
    }

    private static Path access(Server server) {
        return group(server).resolve("acls").resolve(server.initiator());
    }

    private static Path offered(Server server, int lun) {
        return group(server).resolve("lun/lun_" + lun);
    }

    private static Path mapped(Server server, int lun) {
        return access(server).resolve("lun_" + lun);
    }

    /** Units of different servers may be the same file; each has a store of its own. */
    private static Path stores(Server server) {
        return LioTree.STORES.resolve("fileio_" + server.number());
    }

    private static Path store(Server server, int lun) {
        return stores(server).resolve(server.target() + "." + lun);
    }

    @Override
    public void restore(List<Export> exports) {
        var wanted = new HashMap<String, Export>();
        exports.forEach(export -> wanted.put(export.server().target(), export));
        ours().stream()
                .filter(target -> !wanted.containsKey(target.getFileName().toString()))
                .forEach(LioTarget::shut);
        exports.forEach(this::restore);
    }

    private void restore(Export export) {
        var server = export.server();
        var kept = export.units().stream()
                .filter(unit -> serves(server, unit))
                .map(Unit::lun)
                .toList();
        var stale = luns(server).stream().filter(lun -> !kept.contains(lun)).toList();
        // Before anybody is let in: a fence may have been interrupted.
        if (!stale.isEmpty()) {
            enable(group(server), false);
            stale.forEach(lun -> withdraw(server, lun));
        }
        admit(server);
        export.units().forEach(unit -> offer(server, unit));
    }

    private static List<Integer> luns(Server server) {
        return LioTree.below(group(server).resolve("lun")).stream()
                .map(lun -> Integer.parseInt(lun.getFileName().toString().substring("lun_".length())))
                .toList();
    }

    private static boolean serves(Server server, Unit unit) {
        var store = store(server, unit.lun());
        return Files.exists(mapped(server, unit.lun()).resolve("unit"))
                && Files.exists(store)
                && LioTree.read(store.resolve("udev_path")).equals(unit.path().toString())
                && LioTree.read(store.resolve("wwn/vpd_unit_serial")).endsWith(": " + unit.identity())
                && LioTree.read(mapped(server, unit.lun()).resolve("write_protect"))
                        .equals(unit.readOnly() ? "1" : "0");
    }

    @Override
    public void admit(Server server) {
        var group = group(server);
        LioTree.make(LioTree.TARGETS.resolve(server.target()));
        LioTree.make(group);
        portals.forEach(portal -> LioTree.make(group.resolve("np").resolve(portal.toString())));
        LioTree.write(group.resolve("attrib/authentication"), "1");
        LioTree.write(group.resolve("attrib/generate_node_acls"), "0");
        for (Path other : LioTree.below(group.resolve("acls"))) {
            if (!other.getFileName().toString().equals(server.initiator())) {
                interrupted(server, () -> removeAccess(other));
            }
        }
        LioTree.make(access(server));
        prove(server);
        luns(server).forEach(lun -> map(server, lun));
        enable(group, true);
    }

    private static void prove(Server server) {
        var auth = access(server).resolve("auth");
        LioTree.write(auth.resolve("userid"), server.account().user());
        LioTree.write(auth.resolve("password"), server.account().secret());
        LioTree.write(
                auth.resolve("userid_mutual"),
                server.own().map(Server.Account::user).orElse(OFF));
        LioTree.write(
                auth.resolve("password_mutual"),
                server.own().map(Server.Account::secret).orElse(OFF));
    }

    private static void enable(Path group, boolean wanted) {
        String value = wanted ? "1" : "0";
        if (!LioTree.read(group.resolve("enable")).equals(value)) {
            LioTree.write(group.resolve("enable"), value);
        }
    }

    /** Ends all connections of a server, does something, and lets it in again. */
    private static void interrupted(Server server, Runnable change) {
        enable(group(server), false);
        change.run();
        enable(group(server), true);
    }

    @Override
    public void expel(Server server) {
        shut(LioTree.TARGETS.resolve(server.target()));
    }

    @Override
    public void add(Server server, Unit unit) {
        admit(server);
        if (!serves(server, unit)) {
            withdraw(server, unit.lun());
        }
        offer(server, unit);
    }

    private static void offer(Server server, Unit unit) {
        var store = store(server, unit.lun());
        if (!Files.exists(store)) {
            LioTree.make(stores(server));
            LioTree.make(store);
        }
        if (LioTree.read(store.resolve("enable")).equals("0")) {
            LioTree.write(
                    store.resolve("control"),
                    "fd_dev_name=%s,fd_dev_size=%d,fd_buffered_io=1".formatted(unit.path(), size(unit)));
            LioTree.write(store.resolve("wwn/vpd_unit_serial"), unit.identity());
            LioTree.write(store.resolve("udev_path"), unit.path().toString());
            LioTree.write(store.resolve("enable"), "1");
        }
        var offered = offered(server, unit.lun());
        LioTree.make(offered);
        LioTree.link(offered.resolve("unit"), store);
        map(server, unit.lun());
        LioTree.write(mapped(server, unit.lun()).resolve("write_protect"), unit.readOnly() ? "1" : "0");
    }

    private static void map(Server server, int lun) {
        LioTree.make(mapped(server, lun));
        LioTree.link(mapped(server, lun).resolve("unit"), offered(server, lun));
    }

    private static long size(Unit unit) {
        try {
            return Files.size(unit.path());
        } catch (IOException failed) {
            throw StowageException.unavailable(failed, "%s cannot be served: %s", unit.path(), failed.getMessage());
        }
    }

    /** From whoever it is mapped to, which may be an initiator that the server had before. */
    private static void withdraw(Server server, int lun) {
        for (Path access : LioTree.below(group(server).resolve("acls"))) {
            var mapped = access.resolve("lun_" + lun);
            LioTree.remove(mapped.resolve("unit"));
            LioTree.remove(mapped);
        }
        LioTree.remove(offered(server, lun).resolve("unit"));
        LioTree.remove(offered(server, lun));
        LioTree.remove(store(server, lun));
    }

    @Override
    public boolean remove(Server server, Unit unit, boolean force) {
        if (!Files.exists(group(server))) {
            return true;
        }
        if (force) {
            enable(group(server), false);
        } else if (busy(server, unit)) {
            return false;
        }
        withdraw(server, unit.lun());
        if (luns(server).isEmpty()) {
            expel(server);
        } else {
            enable(group(server), true);
        }
        return true;
    }

    /** Whether commands arrive for it. */
    private static boolean busy(Server server, Unit unit) {
        var commands = offered(server, unit.lun()).resolve("statistics/scsi_tgt_port/in_cmds");
        if (!Files.exists(commands)) {
            return false;
        }
        String before = LioTree.read(commands);
        try {
            Thread.sleep(QUIET);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
        return !LioTree.read(commands).equals(before);
    }

    @Override
    public void renew(Server server, Unit unit) {
        // The kernel changes both in use, without ending a connection.
        LioTree.write(store(server, unit.lun()).resolve("control"), "fd_dev_size=" + size(unit));
        LioTree.write(mapped(server, unit.lun()).resolve("write_protect"), unit.readOnly() ? "1" : "0");
    }

    @Override
    public boolean connected(Server server) {
        var info = access(server).resolve("info");
        return Files.exists(info) && !LioTree.read(info).startsWith("No active");
    }

    @Override
    public void abandon() {
        // The kernel goes on.
    }

    @Override
    public void close() {
        restore(List.of());
    }

    /** Takes a target of this array away, with whatever it has. */
    private static void shut(Path target) {
        var group = target.resolve("tpgt_1");
        if (Files.exists(group)) {
            enable(group, false);
            LioTree.below(group.resolve("acls")).forEach(LioTarget::removeAccess);
            for (Path lun : LioTree.below(group.resolve("lun"))) {
                removeOffered(lun);
            }
            LioTree.below(group.resolve("np")).forEach(LioTree::remove);
            LioTree.remove(group);
        }
        LioTree.remove(target);
    }

    private static void removeAccess(Path access) {
        for (Path lun : LioTree.below(access)) {
            if (lun.getFileName().toString().startsWith("lun_")) {
                LioTree.remove(lun.resolve("unit"));
                LioTree.remove(lun);
            }
        }
        LioTree.remove(access);
    }

    private static void removeOffered(Path lun) {
        var link = lun.resolve("unit");
        var store = linked(link);
        LioTree.remove(link);
        LioTree.remove(lun);
        if (store != null) {
            LioTree.remove(store);
        }
    }

    private static @Nullable Path linked(Path link) {
        try {
            return link.toRealPath();
        } catch (IOException notLinked) {
            return null;
        }
    }
}
