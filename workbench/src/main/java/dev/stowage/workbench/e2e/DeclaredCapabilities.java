package dev.stowage.workbench.e2e;

import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerGrpc;
import csi.v1.ControllerServiceCapability;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGrpc;
import csi.v1.NodeServiceCapability;
import csi.v1.PluginCapability;
import dev.stowage.driver.transport.CsiChannel;
import dev.stowage.driver.transport.Endpoint;
import dev.stowage.workbench.WorkbenchException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/** What the driver itself says that it can do, in the words of the suite's description of a driver. */
final class DeclaredCapabilities {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private DeclaredCapabilities() {}

    /** Asks the controller that listens on this socket. */
    static SortedSet<String> ofController(Path socket) {
        return ask(socket, channel -> {
            var found = new TreeSet<String>();
            IdentityGrpc.newBlockingStub(channel.grpc())
                    .withDeadlineAfter(LIMIT)
                    .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                    .getCapabilitiesList()
                    .forEach(capability -> add(found, capability));
            ControllerGrpc.newBlockingStub(channel.grpc())
                    .withDeadlineAfter(LIMIT)
                    .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                    .getCapabilitiesList()
                    .forEach(capability -> add(found, capability.getRpc().getType()));
            return found;
        });
    }

    /** Asks the node's driver that listens on this socket. */
    static SortedSet<String> ofNode(Path socket) {
        return ask(socket, channel -> {
            var found = new TreeSet<String>();
            NodeGrpc.newBlockingStub(channel.grpc())
                    .withDeadlineAfter(LIMIT)
                    .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                    .getCapabilitiesList()
                    .forEach(capability -> add(found, capability.getRpc().getType()));
            return found;
        });
    }

    private static SortedSet<String> ask(Path socket, Function<CsiChannel, SortedSet<String>> question) {
        try {
            // The name of a socket may have about a hundred characters, which that of a file in a pod exceeds.
            var directory = Files.createTempDirectory("stowage-e2e-");
            var shortName = directory.resolve("csi.sock");
            try (var channel = CsiChannel.to(new Endpoint(shortName))) {
                Files.createSymbolicLink(shortName, socket);
                return question.apply(channel);
            } finally {
                Files.deleteIfExists(shortName);
                Files.delete(directory);
            }
        } catch (IOException | StatusRuntimeException failure) {
            throw new WorkbenchException(
                    "the driver at %s cannot be asked what it can do: %s".formatted(socket, failure.getMessage()),
                    failure);
        }
    }

    private static void add(SortedSet<String> found, PluginCapability capability) {
        switch (capability.getVolumeExpansion().getType()) {
            case ONLINE -> found.add("onlineExpansion");
            case OFFLINE -> found.add("offlineExpansion");
            default -> {}
        }
        switch (capability.getService().getType()) {
            case VOLUME_ACCESSIBILITY_CONSTRAINTS -> found.add("topology");
            case GROUP_CONTROLLER_SERVICE -> found.add("groupSnapshot");
            case SNAPSHOT_METADATA_SERVICE -> found.add("snapshotMetadata");
            default -> {}
        }
    }

    private static void add(SortedSet<String> found, ControllerServiceCapability.RPC.Type capability) {
        switch (capability) {
            case CREATE_DELETE_VOLUME -> found.add("persistence");
            case CREATE_DELETE_SNAPSHOT -> found.add("snapshotDataSource");
            case CLONE_VOLUME -> found.add("pvcDataSource");
            case EXPAND_VOLUME -> found.add("controllerExpansion");
            case GET_CAPACITY -> found.add("capacity");
            case SINGLE_NODE_MULTI_WRITER -> found.add("readWriteOncePod");
            case MODIFY_VOLUME -> found.add("VolumeAttributesClass");
            default -> {}
        }
    }

    private static void add(SortedSet<String> found, NodeServiceCapability.RPC.Type capability) {
        switch (capability) {
            case EXPAND_VOLUME -> found.add("nodeExpansion");
            case VOLUME_MOUNT_GROUP -> found.add("volumeMountGroup");
            case SINGLE_NODE_MULTI_WRITER -> found.add("readWriteOncePod");
            default -> {}
        }
    }

    /** Those that a description of the driver leaves out. */
    static SortedSet<String> leftOut(SortedSet<String> declared, String description) {
        var missing = new TreeSet<>(declared);
        missing.removeIf(capability -> Pattern.compile(
                        "^ *%s: *(true|\\{.*From.*)".formatted(Pattern.quote(capability)), Pattern.MULTILINE)
                .matcher(description)
                .find());
        return missing;
    }
}
