package dev.stowage.backend.local.volume;

import dev.stowage.core.backend.Attachments;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.node.NodeEngine;
import java.util.HashMap;
import java.util.Map;

/** How a local volume may be attached, whoever keeps the record of it. */
public final class AttachmentRules {

    private AttachmentRules() {}

    /** One way of being attached. */
    public record Way(String node, String mode, boolean block, boolean readOnly) {

        public static Way of(Attachments.Wanted wanted) {
            return new Way(
                    wanted.node().value(),
                    wanted.use().mode().name(),
                    wanted.use().block(),
                    wanted.readOnly() || wanted.use().mode().readOnly());
        }
    }

    /** Refuses another node than the volume's, and a use that no local volume has. */
    public static void requirePossible(Attachments.Wanted wanted, NodeId home) {
        if (!wanted.node().equals(home)) {
            throw StowageException.notFound(
                    "node %s does not serve this pool; volume %s can be published to node %s only",
                    wanted.node(), wanted.volume(), home);
        }
        VolumeRules.requirePossible(wanted.use());
    }

    public static void requireSame(VolumeId volume, Way existing, Way wanted) {
        if (!existing.equals(wanted)) {
            throw StowageException.alreadyExists(
                    "volume %s is published to node %s in another way (%s, %s, %s); unpublish it first",
                    volume,
                    existing.node(),
                    existing.block() ? "block" : "filesystem",
                    existing.mode(),
                    existing.readOnly() ? "read-only" : "read-write");
        }
    }

    public static StowageException tooMany(NodeId node, long mostVolumes) {
        return StowageException.exhausted(
                "node %s has %d volumes attached, the most it may; detach one first", node, mostVolumes);
    }

    /** What the node is told about the attachment. */
    public static Map<String, String> context(Map<String, String> mutableParameters, Way way) {
        var context = new HashMap<>(VolumeParameters.attachmentContext(mutableParameters));
        if (way.readOnly()) {
            context.put(NodeEngine.READ_ONLY, "true");
        }
        return context;
    }
}
