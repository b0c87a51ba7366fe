package dev.stowage.core.backend;

import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.VolumeUse;
import java.util.Map;
import java.util.Optional;

/** A volume is made reachable for a node, and unreachable again. */
public interface Attachments {

    record Wanted(VolumeId volume, NodeId node, VolumeUse use, boolean readOnly, Map<String, String> volumeContext) {
        public Wanted {
            volumeContext = Map.copyOf(volumeContext);
        }
    }

    /**
     * Attaches the volume.
     *
     * @return what the node needs to know about this attachment, readable by many
     */
    Map<String, String> attach(Wanted wanted);

    /** Detaches the volume from the node, or from every node when none is named. What is not attached, or gone, is fine. */
    void detach(VolumeId volume, Optional<NodeId> node);
}
