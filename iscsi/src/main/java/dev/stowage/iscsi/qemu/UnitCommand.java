package dev.stowage.iscsi.qemu;

import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.Portal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a unit's storage daemon. The secret comes by its input, because everybody can read arguments. */
final class UnitCommand {

    private UnitCommand() {}

    static List<String> of(
            Path directory, String node, Iqn initiator, IscsiUnit unit, Portal portal, boolean readOnly) {
        var chap = unit.chap();
        var arguments = new ArrayList<String>();
        arguments.add("qemu-storage-daemon");
        arguments.addAll(List.of(
                "--chardev", "socket,id=monitor,server=on,wait=off,path=" + value(directory.resolve("monitor"))));
        arguments.addAll(List.of("--monitor", "chardev=monitor"));
        if (chap.isPresent()) {
            arguments.addAll(List.of("--object", "secret,id=chap,file=/dev/stdin"));
        }
        // What the target confirmed is at the target: nothing is kept back here, and a flush is passed on.
        var blockdev = new StringBuilder(
                "driver=iscsi,node-name=%s,transport=tcp,portal=%s,target=%s,lun=%d,initiator-name=%s,read-only=%s,discard=unmap,cache.direct=on,cache.no-flush=off"
                        .formatted(
                                node,
                                value(portal),
                                value(unit.address().target()),
                                unit.address().lun(),
                                value(initiator),
                                readOnly ? "on" : "off"));
        chap.ifPresent(account -> blockdev.append(",password-secret=chap,user=")
                .append(value(account.initiator().user())));
        arguments.addAll(List.of("--blockdev", blockdev.toString()));
        arguments.addAll(List.of(
                "--export",
                "type=fuse,id=%s,node-name=%s,writable=%s,growable=off,mountpoint=%s"
                        .formatted(node, node, readOnly ? "off" : "on", value(directory.resolve("disk")))));
        arguments.addAll(List.of("--pidfile", directory.resolve("pid").toString()));
        return arguments;
    }

    /** A comma ends a value, unless it is doubled. */
    private static String value(Object text) {
        return text.toString().replace(",", ",,");
    }
}
