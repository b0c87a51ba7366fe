package dev.stowage.sidecar.attacher;

import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.ListVolumesRequest;
import dev.stowage.sidecar.csi.DriverConnection;
import dev.stowage.sidecar.csi.DriverFeatures;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The driver's calls that attaching needs. */
final class AttachCalls {

    private final DriverConnection driver;
    private final DriverFeatures features;
    private final Duration timeout;
    private final String defaultFilesystem;
    private final int entriesPerPage;

    AttachCalls(
            DriverConnection driver,
            DriverFeatures features,
            Duration timeout,
            String defaultFilesystem,
            int entriesPerPage) {
        this.driver = driver;
        this.features = features;
        this.timeout = timeout;
        this.defaultFilesystem = defaultFilesystem;
        this.entriesPerPage = entriesPerPage;
    }

    ControllerPublishVolumeRequest request(WantedVolume volume, String nodeId, Credentials credentials) {
        return ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(volume.handle())
                .setNodeId(nodeId)
                .setVolumeCapability(volume.capability(features.distinguishesWriters(), defaultFilesystem))
                // A driver that cannot do so must not be asked to.
                .setReadonly(features.readOnly() && volume.readOnly())
                .putAllVolumeContext(volume.attributes())
                .putAllSecrets(credentials.values())
                .build();
    }

    /** Returns what the node has to know about the attachment. */
    Map<String, String> attach(ControllerPublishVolumeRequest request) {
        return driver.controller(timeout).controllerPublishVolume(request).getPublishContextMap();
    }

    void detach(String volume, String nodeId, Credentials credentials) {
        var _ = driver.controller(timeout)
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setNodeId(nodeId)
                        .putAllSecrets(credentials.values())
                        .build());
    }

    boolean tellsWhatIsAttached() {
        return features.listsPublishedNodes();
    }

    /** The ids of the nodes that each volume is attached to, by the volumes' ids. */
    Map<String, List<String>> attachments() {
        var attachments = new HashMap<String, List<String>>();
        String token = "";
        do {
            var page = driver.controller(timeout)
                    .listVolumes(ListVolumesRequest.newBuilder()
                            .setMaxEntries(entriesPerPage)
                            .setStartingToken(token)
                            .build());
            page.getEntriesList()
                    .forEach(entry -> attachments.put(
                            entry.getVolume().getVolumeId(), entry.getStatus().getPublishedNodeIdsList()));
            token = page.getNextToken();
        } while (!token.isEmpty());
        return attachments;
    }
}
