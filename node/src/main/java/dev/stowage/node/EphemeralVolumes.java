package dev.stowage.node;

import dev.stowage.core.id.VolumeId;
import java.util.Map;

/** Volumes that live as long as the pod that names them in its own specification. Every call may be repeated. */
public interface EphemeralVolumes {

    /** Whether the volume was made here, and not by a controller. */
    boolean owns(VolumeId volume);

    /** Makes the volume; its size and the rest come from the context that the pod gives, its filesystem under {@code fsType}. */
    void create(VolumeId volume, Map<String, String> context);

    /** Removes the volume and its data; one that is gone is fine. */
    void delete(VolumeId volume);
}
