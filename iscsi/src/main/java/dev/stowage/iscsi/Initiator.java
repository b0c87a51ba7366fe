package dev.stowage.iscsi;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Makes block devices of units, and takes them away again. Every call may be repeated. */
public interface Initiator {

    /**
     * How a unit is wanted.
     *
     * @param heldByMount the device may vanish by itself with its last mount; until it is mounted, the returned {@link Held} keeps it
     */
    record How(boolean readOnly, boolean heldByMount) {}

    /** Keeps a device from vanishing until it is put to use. Closing it detaches nothing that is in use, or was not wanted so. */
    interface Held extends AutoCloseable {
        Attached attached();

        @Override
        void close();
    }

    /** The name by which targets know this machine. */
    Iqn name();

    /**
     * Logs in, checks that the unit is the expected one, and returns its device; finds it if that was done before.
     *
     * @throws dev.stowage.core.error.StowageException.NotPossible if the target refuses us, or the unit is another
     * @throws dev.stowage.core.error.StowageException.Unavailable if the target cannot be reached
     */
    Held attach(IscsiUnit unit, How how);

    /** The device that the unit at this address is now, verified. */
    Optional<Attached> find(UnitAddress address);

    /**
     * Takes the device and the connection away, also when the device is gone or its target does not answer. Other units go on.
     *
     * @param serial which unit is meant, if that is known: another at the same address is left alone
     * @param device the device that it was, if that is known
     */
    void detach(UnitAddress address, Optional<String> serial, Optional<Path> device);

    /**
     * Ends the unit's connections at once, whatever still uses its device: nothing that this machine has in memory reaches the unit any
     * more. The device gives errors, and has still to be detached.
     */
    void cut(UnitAddress address);

    /** Makes the device as large as the unit is now, while it is in use, and returns that size in bytes. */
    long grow(UnitAddress address);

    /** The units that this machine is connected to. */
    List<Session> sessions();
}
