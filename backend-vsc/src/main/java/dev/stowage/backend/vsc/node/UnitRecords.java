package dev.stowage.backend.vsc.node;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.stowage.backend.vsc.node.record.UnitRecord;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.UnitAddress;
import dev.stowage.linux.record.Change;
import dev.stowage.linux.record.RecordLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which unit each volume is on this node, across restarts. */
public final class UnitRecords implements AutoCloseable {

    private static final String UNIT = "unit/";

    private final RecordLog log;
    private final Map<VolumeId, Unit> units = new ConcurrentHashMap<>();

    /** @param serial absent as long as neither the array nor the unit has told it */
    record Unit(UnitAddress address, Optional<String> serial) {}

    private UnitRecords(RecordLog log) {
        this.log = log;
        log.takeInitial().forEach(this::load);
    }

    /** Opens the records in a file; {@code owner} says who has them open, for those who find them occupied. */
    public static UnitRecords open(Path file, String owner) {
        return new UnitRecords(RecordLog.open(file, owner));
    }

    private void load(String key, byte[] value) {
        try {
            var record = UnitRecord.parseFrom(value);
            units.put(
                    new VolumeId(key.substring(UNIT.length())),
                    new Unit(
                            new UnitAddress(new Iqn(record.getTarget()), record.getLun()),
                            Optional.of(record.getSerial()).filter(serial -> !serial.isEmpty())));
        } catch (InvalidProtocolBufferException damaged) {
            throw StowageException.internal(
                    damaged, "record %s cannot be read; it was written by another version or is damaged", key);
        }
    }

    Optional<Unit> of(VolumeId volume) {
        return Optional.ofNullable(units.get(volume));
    }

    Set<VolumeId> volumes() {
        return Set.copyOf(units.keySet());
    }

    /** Returns when it is durable. */
    void put(VolumeId volume, Unit unit) {
        if (unit.equals(units.get(volume))) {
            return;
        }
        var record = UnitRecord.newBuilder()
                .setTarget(unit.address().target().value())
                .setLun(unit.address().lun())
                .setSerial(unit.serial().orElse(""))
                .build();
        log.commit(List.of(new Change.Put(UNIT + volume, record.toByteArray())));
        units.put(volume, unit);
    }

    void remove(VolumeId volume) {
        if (units.containsKey(volume)) {
            log.commit(List.of(new Change.Remove(UNIT + volume)));
            units.remove(volume);
        }
    }

    @Override
    public void close() {
        log.close();
    }
}
