package dev.stowage.lab.guest;

import dev.stowage.iscsi.Chap;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.Portal;
import dev.stowage.iscsi.UnitAddress;
import dev.stowage.linux.command.Commands;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The array and the network of {@code san.sh}. */
final class San {

    static final Iqn ARRAY = new Iqn("iqn.2026-01.dev.stowage.lab:array");
    static final Iqn NODE = new Iqn("iqn.2026-01.dev.stowage.lab:node");
    static final Portal FIRST = new Portal("10.99.1.1", 3260);
    static final Portal SECOND = new Portal("10.99.2.1", 3260);
    static final Chap CHAP = Chap.oneWay("node-user", "secret-of-the-node");
    static final Chap.Account PROOF = new Chap.Account("array-user", "secret-of-the-array");

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    San() {
        sh("san_up");
        sh("san_admit node-user secret-of-the-node array-user secret-of-the-array");
        sh("node_up");
    }

    /** Runs functions of {@code san.sh} and other commands. */
    static String sh(String script) {
        return Commands.run(PATIENCE, "bash", "-c", ". /run/lab/san.sh; " + script)
                .orThrow()
                .stdout();
    }

    void offer(int lun, String serial, long bytes) {
        sh("san_unit %d %s %d".formatted(lun, serial, bytes));
    }

    static IscsiUnit unit(int lun, String serial, Chap chap, Portal... portals) {
        return new IscsiUnit(new UnitAddress(ARRAY, lun), List.of(portals), Optional.of(serial), Optional.of(chap));
    }

    static IscsiUnit unit(int lun, String serial) {
        return unit(lun, serial, CHAP, FIRST);
    }

    static List<String> disks() {
        return sh("ls /sys/block").lines().filter(name -> name.startsWith("sd")).toList();
    }

    static List<String> sessions() {
        return sh("ls /sys/class/iscsi_session").lines().toList();
    }
}
