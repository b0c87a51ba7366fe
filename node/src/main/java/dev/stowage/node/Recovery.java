package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.record.PublishRecord;
import dev.stowage.node.record.StageRecord;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the records with the kernel when the driver starts, after a crash or a reboot, and forgets what is no longer so. Mounts,
 * devices and targets are left as they are, for the orchestrator will say what it wants of them; only an ephemeral volume whose pod is
 * gone has nobody who would ask again, and is deleted.
 */
final class Recovery {

    private static final Logger log = LoggerFactory.getLogger(Recovery.class);

    private final Devices devices;
    private final NodeRecords records;
    private final EphemeralPublications ephemeral;

    Recovery(Devices devices, NodeRecords records, EphemeralPublications ephemeral) {
        this.devices = devices;
        this.records = records;
        this.ephemeral = ephemeral;
    }

    void run() {
        for (var volume : records.volumes()) {
            try {
                records.publications(volume).forEach(record -> recover(volume, record));
                records.stage(volume).ifPresent(record -> recover(volume, record));
            } catch (RuntimeException failure) {
                // One volume's trouble must not keep the driver from serving the others; its records stay for the next
                // start.
                log.warn("volume {}: cannot compare its records with the node's state", volume, failure);
            }
        }
        records.flush();
    }

    private void recover(VolumeId volume, PublishRecord record) {
        var target = Path.of(record.getTarget());
        if (StagedVolumes.live(record) || Target.present(target)) {
            // A target that is still there is the orchestrator's to unpublish, and ours to remove then.
            return;
        }
        if (record.getEphemeral()) {
            log.info("volume {}: its pod's directory {} is gone, so the ephemeral volume is deleted", volume, target);
            ephemeral.remove(volume, record);
            ephemeral.forget(volume, record.getTarget());
            return;
        }
        records.edit(volume).dropPublication(record.getTarget()).defer();
    }

    private void recover(VolumeId volume, StageRecord record) {
        var device = Recorded.device(record);
        boolean mounted = !record.getUse().getBlock()
                && device.filter(recorded ->
                                Sight.at(Path.of(record.getStagingPath()), record.getUse(), recorded) == Sight.OURS)
                        .isPresent();
        if (device.filter(Device::exported).isPresent()) {
            // For what a server exports, the mount is all that there is on this node.
            if (!mounted) {
                records.edit(volume).dropStage().defer();
            }
            return;
        }
        var attached = attached(volume);
        boolean same = device.isEmpty() ? attached.isPresent() : attached.equals(device);
        if (same) {
            return;
        }
        if (mounted && attached.isEmpty()) {
            // The storage below it was lost while it was mounted. The record is what it will be unmounted by.
            log.warn(
                    "volume {}: {} is mounted at {}, but the volume is not attached any more; restart the pods that use it",
                    volume,
                    device.map(Device::path).orElse(null),
                    record.getStagingPath());
            return;
        }
        if (mounted) {
            log.warn(
                    "volume {}: {} is mounted at {}, but the volume is not attached as it; the record is not believed",
                    volume,
                    device.map(Device::path).orElse(null),
                    record.getStagingPath());
        }
        records.edit(volume).dropStage().defer();
    }

    private Optional<Device> attached(VolumeId volume) {
        try {
            return devices.attached(volume);
        } catch (StowageException.NotFound unknown) {
            return Optional.empty();
        }
    }
}
