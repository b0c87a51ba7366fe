package dev.stowage.sidecar.attacher;

import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares what VolumeAttachments say with what the driver says, and has those looked at again that differ. */
final class Repair {

    private static final Logger LOG = LoggerFactory.getLogger(Repair.class);

    private final Cluster cluster;
    private final AttachCalls calls;
    private final Consumer<String> lookAgain;

    /** @param lookAgain is told the name of an attachment that is to be brought about whatever its status says */
    Repair(Cluster cluster, AttachCalls calls, Consumer<String> lookAgain) {
        this.cluster = cluster;
        this.calls = calls;
        this.lookAgain = lookAgain;
    }

    void run() {
        var said = cluster.attachments().all();
        Map<String, List<String>> actual;
        try {
            actual = calls.attachments();
        } catch (StatusRuntimeException failed) {
            LOG.warn("cannot compare attachments with the driver's listing now: {}", failed.getMessage());
            return;
        }
        said.stream()
                .filter(attachment -> attachment.getSpec().getAttacher().equals(cluster.driver()))
                .forEach(attachment -> compare(attachment, actual));
    }

    private void compare(VolumeAttachment attachment, Map<String, List<String>> actual) {
        var volume = cluster.handle(attachment);
        var nodeId = Attachments.recordedNodeId(attachment)
                .or(() -> cluster.nodeId(attachment.getSpec().getNodeName()));
        if (volume.isEmpty() || nodeId.isEmpty()) {
            return;
        }
        boolean found = actual.getOrDefault(volume.get(), List.of()).contains(nodeId.get());
        if (found != Attachments.isAttached(attachment)) {
            LOG.warn(
                    "{}: it says that volume {} is {}attached to node {}, the driver says the opposite",
                    attachment.getMetadata().getName(),
                    volume.get(),
                    found ? "not " : "",
                    nodeId.get());
            lookAgain.accept(attachment.getMetadata().getName());
        }
    }
}
