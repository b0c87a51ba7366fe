package dev.stowage.iscsi;

import dev.stowage.core.error.StowageException;
import java.util.List;
import java.util.Optional;

/**
 * A unit that is to become a device here.
 *
 * @param serial the serial number that it has to have; whatever has another is not used
 */
public record IscsiUnit(UnitAddress address, List<Portal> portals, Optional<String> serial, Optional<Chap> chap) {

    public IscsiUnit {
        portals = List.copyOf(portals);
        serial = serial.map(String::strip);
        if (portals.isEmpty()) {
            throw StowageException.invalid("%s has no portal to reach it by", address);
        }
    }

    /** Refuses a unit that is not the expected one. */
    public void requireSerial(String found) {
        if (serial.isPresent() && !serial.get().equalsIgnoreCase(found)) {
            throw StowageException.notPossible(
                    "%s has the serial number %s, but %s is expected: another volume has taken its place at the target, and it is not "
                            + "touched. Attach the volume anew, so that its present place is told",
                    address, found, serial.get());
        }
    }
}
