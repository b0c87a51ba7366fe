package dev.stowage.sidecar.csi;

import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerServiceCapability;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginInfoRequest;
import csi.v1.GroupControllerGetCapabilitiesRequest;
import csi.v1.GroupControllerGrpc;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGrpc;
import csi.v1.PluginCapability;
import dev.stowage.driver.http.PageServer;
import dev.stowage.driver.http.Reply;
import dev.stowage.driver.transport.Endpoint;
import dev.stowage.sidecar.json.JsonText;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What a driver tells of itself, for whoever deploys it.
 *
 * @param capabilities of all its services, by their names in CSI
 */
public record DriverReport(String name, String version, Set<String> capabilities) {

    /** A page with it, asked anew each time. */
    public static PageServer.Page page(Endpoint driver, OperationMetrics metrics, Duration timeout) {
        return exchange -> {
            try (var connection = DriverConnection.to(driver, metrics, 0)) {
                return new Reply(
                        200, "application/json", ask(connection, timeout).json());
            } catch (StatusRuntimeException failed) {
                return Reply.text(503, "the driver does not answer as it should: " + failed.getMessage());
            }
        };
    }

    private static DriverReport ask(DriverConnection driver, Duration timeout) {
        var info = driver.identity(timeout).getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
        var all = new TreeSet<String>();
        driver.identity(timeout)
                .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .forEach(capability -> all.add(name(capability)));
        if (all.contains(PluginCapability.Service.Type.CONTROLLER_SERVICE.name())) {
            all.addAll(unlessAbsent(() -> driver
                    .controller(timeout)
                    .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                    .getCapabilitiesList()
                    .stream()
                    .filter(ControllerServiceCapability::hasRpc)
                    .map(capability -> capability.getRpc().getType().name())
                    .toList()));
        }
        if (all.contains(PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE.name())) {
            all.addAll(unlessAbsent(
                    () -> GroupControllerGrpc.newBlockingStub(driver.channel().grpc())
                            .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS)
                            .groupControllerGetCapabilities(GroupControllerGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList()
                            .stream()
                            .map(capability -> capability.getRpc().getType().name())
                            .toList()));
        }
        // The names of two services overlap; those of the node say so.
        all.addAll(unlessAbsent(() -> NodeGrpc.newBlockingStub(driver.channel().grpc())
                .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .stream()
                .map(capability -> "NODE_" + capability.getRpc().getType().name())
                .toList()));
        return new DriverReport(info.getName(), info.getVendorVersion(), all);
    }

    private static String name(PluginCapability capability) {
        return capability.hasService()
                ? capability.getService().getType().name()
                : "VOLUME_EXPANSION_"
                        + capability.getVolumeExpansion().getType().name();
    }

    /** A process that serves only a part of CSI is no trouble. */
    private static List<String> unlessAbsent(Supplier<List<String>> call) {
        try {
            return call.get();
        } catch (StatusRuntimeException failed) {
            if (failed.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                return List.of();
            }
            throw failed;
        }
    }

    private String json() {
        return "{\"name\": %s, \"version\": %s, \"capabilities\": [%s]}"
                .formatted(
                        JsonText.quoted(name),
                        JsonText.quoted(version),
                        capabilities.stream().map(JsonText::quoted).collect(Collectors.joining(", ")));
    }
}
