package dev.stowage.node;

import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.StorageIssue;
import dev.stowage.core.id.VolumeId;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Brings a volume's block device to this node and takes it away again, or says where its filesystem is. Every call may be repeated. */
public interface Devices {

    /**
     * An attached device.
     *
     * @param identity what tells this device from every other, such as {@code file:<major>:<minor>:<inode>} or a WWID; it survives in
     *     the stage record
     */
    record Device(Path path, int major, int minor, String identity) {

        /** What a server exports, where a device would be: it is mounted by its name and has no numbers. */
        static Device of(Export export) {
            return new Device(Path.of(export.source()), 0, 0, "export " + export.source());
        }

        /** Whether this is a server's filesystem. No block device has the major number 0. */
        boolean exported() {
            return major == 0;
        }
    }

    /**
     * How a device is wanted.
     *
     * @param heldByMount the device may vanish by itself with its last mount; until it is mounted, the returned {@link Hold} keeps it
     *     alive
     */
    record How(
            boolean readOnly,
            boolean heldByMount,
            Map<String, String> publishContext,
            Map<String, String> volumeContext) {
        public How {
            publishContext = Map.copyOf(publishContext);
            volumeContext = Map.copyOf(volumeContext);
        }

        /** What is asked of the device. What the attachment says is younger than what the volume was made with. */
        Map<String, String> settings() {
            var settings = new HashMap<>(volumeContext);
            settings.putAll(publishContext);
            return settings;
        }
    }

    /** Keeps an attached device from vanishing. Closing it detaches nothing that is mounted, or that was not wanted so. */
    interface Hold extends AutoCloseable {
        Device device();

        /** Whether the storage takes no writes, whatever is asked of the device. */
        default boolean readOnly() {
            return false;
        }

        @Override
        void close();
    }

    /**
     * Attaches the volume's device, or finds it attached with the same identity.
     *
     * @throws dev.stowage.core.error.StowageException.NotFound when there is no such volume
     */
    Hold attach(VolumeId volume, How how);

    /**
     * The filesystem of a server that the volume is, if it is one: then it is mounted as it is, nothing is attached for it, and none of
     * the calls below is made with it.
     */
    default Optional<Export> export(VolumeId volume, Map<String, String> publishContext) {
        return Optional.empty();
    }

    /** Whether there is such a volume; storage that cannot tell from here says yes, and tells when it is asked to attach it. */
    default boolean exists(VolumeId volume) {
        return true;
    }

    /** The device that the volume is attached as now, its identity verified. */
    Optional<Device> attached(VolumeId volume);

    /**
     * Ends the device's connection to its storage at once, whatever still uses it, so that nothing the kernel has in memory is written any
     * more. It has still to be detached. Storage of this machine is not connected to anything.
     */
    default void cut(VolumeId volume) {}

    /**
     * Takes the device away. A device whose identity is another is never touched; one that is gone is fine.
     *
     * @param recorded what the stage record says
     */
    void detach(VolumeId volume, Optional<Device> recorded);

    /** Makes the device show the size that the volume has, and returns that size in bytes. */
    long resize(Device device);

    void setReadOnly(Device device, boolean readOnly);

    long size(Device device);

    /** Applies what the contexts of the volume and its attachment ask of an attached device, such as its read-ahead. */
    void tune(Device device, Map<String, String> settings);

    /** What is wrong with the volume below its mount: its backing is gone, a direct read of the device fails. */
    List<HealthIssue> health(VolumeId volume);

    /**
     * Whether a device that is to be held by its mount, and is not mounted yet, vanishes with this process. If so, a crash leaves
     * nothing behind, and the attachment needs no record of its own before it.
     */
    default boolean holdsEndWithProcess() {
        return false;
    }

    /** Whether the volumes can be reached from this node only, so that nobody else can have written to one in the meantime. */
    default boolean onlyOnThisNode() {
        return false;
    }

    /** What is wrong with the storage as a whole, as this node sees it. */
    List<StorageIssue> storageHealth();
}
