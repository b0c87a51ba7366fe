package dev.stowage.core.backend;

import dev.stowage.core.id.VolumeId;
import java.util.Map;

/** Some parameters of a volume can change during its life. */
public interface Modification {

    /** Gives the named parameters new values; all of them or none. */
    void modify(VolumeId volume, Map<String, String> mutableParameters);
}
