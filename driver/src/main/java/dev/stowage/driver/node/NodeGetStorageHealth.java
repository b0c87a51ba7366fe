package dev.stowage.driver.node;

import csi.v1.NodeGetStorageHealthRequest;
import csi.v1.NodeGetStorageHealthResponse;
import csi.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import csi.v1.StorageHealthErrorType;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.health.StorageIssue;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.TextMaps;

/** The request says nothing but secrets, so there is nothing to read from it. */
final class NodeGetStorageHealth
        implements Operation<NodeGetStorageHealthRequest, NodeGetStorageHealthRequest, NodeGetStorageHealthResponse> {

    private final NodeVolumes node;

    NodeGetStorageHealth(NodeVolumes node) {
        this.node = node;
    }

    @Override
    public NodeGetStorageHealthRequest parse(NodeGetStorageHealthRequest request) {
        TextMaps.secrets(request.getSecretsMap());
        return request;
    }

    @Override
    public NodeGetStorageHealthResponse perform(NodeGetStorageHealthRequest request) {
        return NodeGetStorageHealthResponse.newBuilder()
                .addAllBackendHealth(node.storageHealth().stream()
                        .map(NodeGetStorageHealth::message)
                        .toList())
                .build();
    }

    private static StorageBackendHealth message(StorageIssue issue) {
        return StorageBackendHealth.newBuilder()
                .setStatus(
                        switch (issue.status()) {
                            case DEGRADED -> StorageHealthErrorType.STORAGE_DEGRADED;
                            case UNREACHABLE -> StorageHealthErrorType.STORAGE_UNREACHABLE;
                        })
                .setReason(issue.reason())
                .setMessage(issue.message())
                .build();
    }
}
