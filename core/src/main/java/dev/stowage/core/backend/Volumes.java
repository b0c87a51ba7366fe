package dev.stowage.core.backend;

import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.TopologyRequirement;
import dev.stowage.core.volume.Volume;
import dev.stowage.core.volume.VolumeUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Volumes are made, found and removed. */
public interface Volumes {

    /** The wish for a volume. The same name with the same wish is the same volume; with another wish it is refused. */
    record Wanted(
            RequestName name,
            SizeRange size,
            List<VolumeUse> uses,
            Map<String, String> parameters,
            Map<String, String> mutableParameters,
            Optional<ContentSource> source,
            TopologyRequirement topology) {

        public Wanted {
            uses = List.copyOf(uses);
            parameters = Map.copyOf(parameters);
            mutableParameters = Map.copyOf(mutableParameters);
        }
    }

    Volume create(Wanted wanted);

    /** Removes the volume and its data; a volume that is not there is fine. */
    void delete(VolumeId volume);

    Volume find(VolumeId volume);

    Page<Volume> list(PageRequest page);

    /**
     * Whether the volume can be used so.
     *
     * @return why not, or empty when it can
     */
    Optional<String> objection(
            VolumeId volume,
            List<VolumeUse> uses,
            Map<String, String> context,
            Map<String, String> parameters,
            Map<String, String> mutableParameters);

    /** Whether a volume can start as a copy of another volume. */
    boolean clonable();
}
