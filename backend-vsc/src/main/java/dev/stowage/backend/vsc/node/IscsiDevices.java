package dev.stowage.backend.vsc.node;

import dev.stowage.backend.vsc.node.UnitRecords.Unit;
import dev.stowage.backend.vsc.secret.Unseal;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.StorageIssue;
import dev.stowage.core.id.VolumeId;
import dev.stowage.iscsi.Attached;
import dev.stowage.iscsi.Initiator;
import dev.stowage.iscsi.Session;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.block.BlockDevices;
import dev.stowage.node.Devices;
import dev.stowage.node.Export;
import dev.stowage.node.NodeEngine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The arrays' volumes as block devices of this node; NAS volumes have none and are mounted from where they are exported.
 *
 * <p>Which unit a volume is goes on record before anybody logs in, and off it when the unit is gone from here. So nothing is ever
 * connected that no record knows, and taking a volume away needs nobody to say where it was.
 */
public final class IscsiDevices implements Devices {

    private static final Logger LOG = LoggerFactory.getLogger(IscsiDevices.class);
    private static final String READ_AHEAD = "readAheadKiB";

    private final Initiator initiator;
    private final UnitRecords records;
    private final Unseal unseal;

    public IscsiDevices(Initiator initiator, UnitRecords records, Unseal unseal) {
        this.initiator = initiator;
        this.records = records;
        this.unseal = unseal;
    }

    private record HeldUnit(Device device, boolean readOnly, Initiator.Held held) implements Hold {
        @Override
        public void close() {
            held.close();
        }
    }

    @Override
    public Hold attach(VolumeId volume, How how) {
        var unit = AttachmentContext.unit(volume, how.publishContext(), unseal);
        var wanted = new Unit(unit.address(), unit.serial());
        records.of(volume)
                .filter(former -> !former.address().equals(wanted.address())
                        || wanted.serial().isPresent() && !former.serial().equals(wanted.serial()))
                .ifPresent(former -> initiator.detach(former.address(), former.serial(), Optional.empty()));
        records.put(volume, wanted);
        boolean readOnly = "true".equals(how.publishContext().get(NodeEngine.READ_ONLY));
        var held = initiator.attach(unit, new Initiator.How(readOnly || how.readOnly(), how.heldByMount()));
        try {
            records.put(
                    volume, new Unit(unit.address(), Optional.of(held.attached().serial())));
            return new HeldUnit(device(held.attached()), readOnly, held);
        } catch (RuntimeException | Error failure) {
            held.close();
            throw failure;
        }
    }

    @Override
    public Optional<Export> export(VolumeId volume, Map<String, String> publishContext) {
        return AttachmentContext.export(volume, publishContext);
    }

    @Override
    public Optional<Device> attached(VolumeId volume) {
        return records.of(volume)
                .flatMap(unit -> initiator
                        .find(unit.address())
                        .filter(found ->
                                unit.serial().isEmpty() || unit.serial().get().equals(found.serial()))
                        .map(IscsiDevices::device));
    }

    @Override
    public void cut(VolumeId volume) {
        records.of(volume).ifPresent(unit -> initiator.cut(unit.address()));
    }

    @Override
    public void detach(VolumeId volume, Optional<Device> recorded) {
        records.of(volume)
                .ifPresent(unit -> initiator.detach(unit.address(), unit.serial(), recorded.map(Device::path)));
        records.remove(volume);
    }

    /**
     * Takes away what a crash left: units of volumes that the node does not remember to have staged.
     *
     * @param remembered what the node remembers
     */
    public void detachUnclaimed(Set<VolumeId> remembered) {
        for (var volume : records.volumes()) {
            if (remembered.contains(volume)) {
                continue;
            }
            try {
                detach(volume, Optional.empty());
                LOG.info("volume {} was attached to this node for nobody, and is detached", volume);
            } catch (StowageException | SyscallException failure) {
                // One volume's trouble must not keep the driver from serving the others; its record stays.
                LOG.warn("volume {} is attached to this node for nobody, but cannot be detached", volume, failure);
            }
        }
    }

    @Override
    public long resize(Device device) {
        return initiator.grow(volumeUnit(device).address());
    }

    private Unit volumeUnit(Device device) {
        return records.volumes().stream()
                .flatMap(volume -> records.of(volume).stream())
                .filter(unit -> unit.serial().isPresent()
                        && identity(unit.address().toString(), unit.serial().get())
                                .equals(device.identity()))
                .findFirst()
                .orElseThrow(() -> StowageException.notPossible(
                        "%s is not known as the device of a volume any more; stage the volume anew", device.path()));
    }

    @Override
    public void setReadOnly(Device device, boolean readOnly) {
        BlockDevices.setReadOnly(device.path(), readOnly);
    }

    @Override
    public long size(Device device) {
        return BlockDevices.size(device.path());
    }

    @Override
    public void tune(Device device, Map<String, String> settings) {
        var wanted = settings.get(READ_AHEAD);
        if (wanted == null || wanted.isBlank()) {
            return;
        }
        try {
            BlockDevices.setReadAhead(device.major(), device.minor(), Integer.parseUnsignedInt(wanted));
        } catch (NumberFormatException malformed) {
            throw StowageException.invalid("%s: '%s' is not a number of KiB", READ_AHEAD, wanted);
        }
    }

    @Override
    public List<HealthIssue> health(VolumeId volume) {
        var unit = records.of(volume);
        if (unit.isEmpty()) {
            return List.of();
        }
        var session = initiator.sessions().stream()
                .filter(one -> one.address().equals(unit.get().address()))
                .findFirst();
        if (session.isEmpty()) {
            return List.of(notConnected(
                    volume, "this node has no connection to " + unit.get().address()));
        }
        return session.flatMap(Session::trouble)
                .map(trouble -> List.of(notConnected(volume, session.get().address() + ": " + trouble)))
                .orElse(List.of());
    }

    private static HealthIssue notConnected(VolumeId volume, String why) {
        return new HealthIssue(
                HealthIssue.Status.INACCESSIBLE,
                "NotConnected",
                "volume " + volume + " cannot be reached: " + why
                        + "; check the array and the network, and restart the pods that use it if it does not come back by itself");
    }

    @Override
    public List<StorageIssue> storageHealth() {
        try {
            // Whether it answers is the question, not what.
            var unused = initiator.sessions();
            return List.of();
        } catch (StowageException.Unavailable silent) {
            return List.of(new StorageIssue(
                    StorageIssue.Status.UNREACHABLE, "NoInitiator", String.valueOf(silent.getMessage())));
        }
    }

    private static Device device(Attached attached) {
        return new Device(
                attached.device(),
                attached.major(),
                attached.minor(),
                identity(attached.address().toString(), attached.serial()));
    }

    private static String identity(String address, String serial) {
        return "serial " + serial + ", " + address;
    }
}
