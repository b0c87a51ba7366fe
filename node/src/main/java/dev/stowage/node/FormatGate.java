package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.linux.filesystem.Signature;
import dev.stowage.linux.process.Openers;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.record.FilesystemRecord;
import dev.stowage.node.record.FilesystemRecord.State;
import java.time.Duration;
import java.util.UUID;

/** Sees to it that a device holds the filesystem of its volume. Only here are filesystems made, and only on what is provably blank. */
final class FormatGate {

    private static final Duration EARLIER_PROGRAM = Duration.ofSeconds(5);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final Devices devices;
    private final NodeRecords records;

    FormatGate(Devices devices, NodeRecords records) {
        this.devices = devices;
        this.records = records;
    }

    /**
     * What the device now holds.
     *
     * @param onRecord whether the record is already durable; if not, it must be before the filesystem is used
     */
    record Prepared(FilesystemRecord record, boolean onRecord) {}

    /** @param mayWrite whether something may be put on a blank device */
    Prepared prepare(VolumeId volume, Device device, FilesystemWish wish, boolean mayWrite) {
        var record = records.filesystem(volume).orElse(FilesystemRecord.getDefaultInstance());
        if (record.getState() == State.FORMATTING || record.getState() == State.CHANGING_UUID) {
            awaitEarlierProgram(volume, device);
        }
        var situation = new FormatDecision.Situation(
                volume, record, probe(volume, device), wish.type(), oursAlone(record), mayWrite);
        var prepared = switch (FormatDecision.of(situation)) {
            case FormatDecision.Use() -> new Prepared(record, true);
            case FormatDecision.Adopt(UUID uuid) -> notYetOnRecord(present(record, wish.type(), uuid, 0));
            case FormatDecision.AdoptWithNewUuid() -> changeUuid(volume, device, record);
            case FormatDecision.Format() -> format(volume, device, record, wish);
            case FormatDecision.FormatIfAllBlank() -> {
                BlankScan.requireBlank(volume, device, devices.size(device));
                yield format(volume, device, record, wish);
            }
        };
        if (wish.type() == FilesystemType.EXT4 && !wish.readOnly()) {
            Ext4Repair.repairIfMarked(volume, device);
        }
        return prepared;
    }

    /** A program that was begun before a crash of ours goes on without us. Two at once, or a mount meanwhile, would ruin the volume. */
    private static void awaitEarlierProgram(VolumeId volume, Device device) {
        long deadline = System.nanoTime() + EARLIER_PROGRAM.toNanos();
        for (var users = Openers.othersOf(device.path()); !users.isEmpty(); users = Openers.othersOf(device.path())) {
            if (System.nanoTime() > deadline) {
                throw StowageException.unavailable(
                        "volume %s: what was begun before a restart is still at work on its device %s (process %s); it will be tried "
                                + "again when that has ended",
                        volume, device.path(), users);
            }
            try {
                Thread.sleep(LOOK_AGAIN);
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                throw StowageException.unavailable("volume %s: the driver is stopping", volume);
            }
        }
    }

    private static Signature probe(VolumeId volume, Device device) {
        try {
            return Filesystems.probe(device.path());
        } catch (SyscallException unreadable) {
            throw StowageException.unavailable(
                    unreadable,
                    "volume %s: device %s cannot be read, so it is not known what it holds and nothing is done to it: %s. Check the "
                            + "storage below it",
                    volume,
                    device.path(),
                    Text.reason(unreadable));
        }
    }

    private boolean oursAlone(FilesystemRecord record) {
        return record.getState() == State.FORMATTING
                && (devices.onlyOnThisNode() || record.getBootId().equals(BootId.current()));
    }

    private Prepared format(VolumeId volume, Device device, FilesystemRecord before, FilesystemWish wish) {
        long size = devices.size(device);
        var uuid = UUID.randomUUID();
        var formatting = before.toBuilder()
                .setState(State.FORMATTING)
                .setType(wish.type().mountName())
                .setUuid(uuid.toString())
                .setSizeBytes(0)
                .setBootId(BootId.current())
                .build();
        records.edit(volume).filesystem(formatting).commit();
        makeFilesystem(volume, device, uuid, wish);
        return notYetOnRecord(present(formatting, wish.type(), uuid, size));
    }

    private static void makeFilesystem(VolumeId volume, Device device, UUID uuid, FilesystemWish wish) {
        var options = String.join(" ", wish.mkfsOptions());
        try {
            Filesystems.format(device.path(), wish.type(), uuid, wish.mkfsOptions(), null);
        } catch (IllegalArgumentException refused) {
            throw StowageException.invalid(
                    "volume %s: mkfsOptions %s: %s", volume, Text.quoted(options), Text.reason(refused));
        } catch (CommandFailedException failed) {
            if (options.isEmpty()) {
                throw failed;
            }
            throw StowageException.notPossible(
                    "volume %s: no %s could be made with mkfsOptions %s; correct them, if they are the reason: %s",
                    volume, wish.type().mountName(), Text.quoted(options), Text.reason(failed));
        }
    }

    private Prepared changeUuid(VolumeId volume, Device device, FilesystemRecord before) {
        var uuid = UUID.randomUUID();
        var type = FilesystemType.BTRFS;
        var changing = before.toBuilder()
                .setState(State.CHANGING_UUID)
                .setType(type.mountName())
                .setUuid(uuid.toString())
                .setSizeBytes(0)
                .clearBootId()
                .build();
        records.edit(volume).filesystem(changing).commit();
        Filesystems.changeUuid(type, device.path(), uuid);
        return notYetOnRecord(present(changing, type, uuid, 0));
    }

    private static FilesystemRecord present(FilesystemRecord before, FilesystemType type, UUID uuid, long size) {
        return before.toBuilder()
                .setState(State.PRESENT)
                .setType(type.mountName())
                .setUuid(uuid.toString())
                .setSizeBytes(size)
                .clearBootId()
                // What was written through the raw device is accounted for: it is this filesystem.
                .setUsedAsBlock(false)
                .build();
    }

    private static Prepared notYetOnRecord(FilesystemRecord record) {
        return new Prepared(record, false);
    }
}
