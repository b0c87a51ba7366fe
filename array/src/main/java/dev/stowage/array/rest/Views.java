package dev.stowage.array.rest;

import dev.stowage.array.StorageArray;
import dev.stowage.array.iscsi.Portal;
import dev.stowage.array.journal.Ids;
import dev.stowage.array.record.AttachmentRecord;
import dev.stowage.array.record.ServerRecord;
import dev.stowage.array.record.SnapshotRecord;
import dev.stowage.array.record.VolumeRecord;
import dev.stowage.array.service.Servers.Attached;
import dev.stowage.core.volume.Sizes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The array's objects as the API shows them. Capacities are in gibibytes. */
final class Views {

    private final StorageArray array;

    Views(StorageArray array) {
        this.array = array;
    }

    Map<String, Object> volume(VolumeRecord volume) {
        var attachments = volume.getAttachmentsList();
        boolean used = !attachments.isEmpty();
        var view = new LinkedHashMap<String, Object>();
        view.put("name", volume.getId());
        view.put("display_name", volume.getDisplayName());
        view.put("cg_name", volume.getGroup());
        view.put("pool_name", Ids.THE_POOL);
        view.put("status", used ? "In-use" : "Available");
        view.put("virtual_capacity", gibibytes(volume.getSizeBytes()));
        view.put("provisioned_capacity", gibibytes(volume.getSizeBytes()));
        view.put("allocated_capacity", gibibytes(array.parts().store().allocatedBytes(volume.getId())));
        view.put("data_type", volume.getShared() ? "File-System" : "BLOCK");
        view.put("thin", "YES");
        view.put("encryption", volume.getOptionsMap().getOrDefault("crypt", "NO"));
        view.put("access_type", used ? accessType(volume) : "");
        view.put("read_only", used && attachments.getFirst().getReadOnly() ? "YES" : "NO");
        view.put("export_name", volume.getExportName());
        view.put("nfs_export_path", volume.getShared() ? array.parts().shares().path(volume.getExportName()) : "");
        view.put("smb_export_path", "");
        boolean hasUnit = used && !volume.getShared();
        view.put(
                "target",
                hasUnit ? array.parts().targetName(attachments.getFirst().getServer()) : "");
        view.put("lun", hasUnit ? attachments.getFirst().getLun() : "");
        view.put(
                "has_snapshots",
                array.parts().journal().snapshotsOf(volume.getId()).isEmpty() ? "NO" : "YES");
        view.put(
                "server_name",
                attachments.stream().map(AttachmentRecord::getServer).collect(Collectors.joining(",")));
        view.put(
                "server_ext_names",
                attachments.stream().map(AttachmentRecord::getServer).collect(Collectors.joining(",")));
        view.put("comment", volume.getComment());
        view.put("created_at", time(volume.getCreatedAtMillis()));
        view.put("modified_at", time(volume.getModifiedAtMillis()));
        return view;
    }

    Map<String, Object> attached(Attached attached) {
        var view = server(attached.server());
        if (attached.volume().getShared()) {
            view.put("target", "");
            view.put("lun", "");
        } else {
            view.put("lun", attached.attachment().getLun());
            view.put("serial", array.parts().serial(attached.volume()));
        }
        view.put("read_only", attached.attachment().getReadOnly() ? "YES" : "NO");
        view.put("access_type", accessType(attached.volume()));
        view.put("status", state(attached.attachment()));
        return view;
    }

    private static String accessType(VolumeRecord volume) {
        return volume.getShared() ? "NFS" : "iSCSI";
    }

    private static String state(AttachmentRecord attachment) {
        return switch (attachment.getState()) {
            case CREATING -> "Attaching";
            case DELETING -> "Detaching";
            case READY, LIFE_STATE_UNSPECIFIED, UNRECOGNIZED -> "Attached";
        };
    }

    Map<String, Object> server(ServerRecord server) {
        var portal = array.settings().portals().getFirst();
        var view = new LinkedHashMap<String, Object>();
        view.put("name", server.getId());
        view.put("display_name", server.getDisplayName());
        view.put("iqn", server.getIqn());
        view.put("iscsi", server.getAddress());
        view.put("os", server.getSystem());
        view.put("status", connected(server) ? "Active" : "Disconnected");
        view.put("target", array.parts().targetName(server.getId()));
        view.put("host_chap_user", server.getHostChapUser());
        view.put("host_chap_secret", server.getHostChapSecret());
        view.put("iscsi_ip", portal.host());
        view.put("iscsi_port", portal.port());
        view.put("created_at", time(server.getCreatedAtMillis()));
        return view;
    }

    private boolean connected(ServerRecord server) {
        return array.servers().connected(server);
    }

    Map<String, Object> snapshot(SnapshotRecord snapshot) {
        var volume = array.parts().journal().volumes().get(snapshot.getVolume());
        var view = new LinkedHashMap<String, Object>();
        view.put("name", snapshot.getId());
        view.put("display_name", snapshot.getDisplayName());
        view.put("cg_name", snapshot.getGroup());
        view.put("pool_name", Ids.THE_POOL);
        view.put("status", "normal");
        view.put("volume_ext_name", snapshot.getVolume());
        view.put("volume_display_name", volume == null ? "" : volume.getDisplayName());
        view.put("volume_capacity_mb", snapshot.getSizeBytes() / Sizes.MIB);
        view.put("created_at", time(snapshot.getCreatedAtMillis()));
        return view;
    }

    Map<String, Object> pool() {
        var figures = array.space().figures();
        var view = new LinkedHashMap<String, Object>();
        view.put("name", Ids.THE_POOL);
        view.put("display_name", "pool");
        view.put("status", "normal");
        view.put("mode", figures.mode().toString());
        view.put("capacity", gibibytes(figures.capacity()));
        view.put("available_capacity", gibibytes(figures.available()));
        view.put("provisioned_capacity", gibibytes(figures.provisioned()));
        var own = array.parts().own();
        view.put("alertmode", own.getAlertMinutes());
        view.put("protectedmode", own.getProtectedMinutes());
        view.put("emergencymode", gibibytes(own.getEmergencyBytes()));
        view.put("capacityhistory", own.getHistoryMinutes());
        return view;
    }

    Map<String, Object> controller() {
        var portals = array.settings().portals();
        var own = array.parts().own();
        var view = new LinkedHashMap<String, Object>();
        view.put("name", "vsa-00000001-vc-0");
        view.put("display_name", array.settings().name());
        view.put("state", "active");
        view.put("target", array.parts().targetName());
        view.put("iscsi_ip", firstAddress(false));
        view.put("iscsi_ipv6", firstAddress(true));
        view.put("iscsi_port", portals.getFirst().port());
        view.put("portals", portals.stream().map(Portal::toString).toList());
        view.put("vpsa_chap_user", own.getChapUser());
        view.put("vpsa_chap_secret", own.getChapSecret());
        view.put("software-ver", array.settings().softwareVersion());
        return view;
    }

    private String firstAddress(boolean six) {
        return array.settings().portals().stream()
                .filter(portal -> portal.isSix() == six)
                .map(Portal::plainHost)
                .findFirst()
                .orElse("");
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    private static double gibibytes(long bytes) {
        return (double) bytes / Sizes.GIB;
    }
}
