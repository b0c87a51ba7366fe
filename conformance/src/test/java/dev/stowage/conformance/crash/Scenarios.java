package dev.stowage.conformance.crash;

import csi.v1.ControllerGrpc;
import csi.v1.GroupControllerGrpc;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGrpc;
import csi.v1.SnapshotMetadataGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Every call that changes something, in every situation in which it does something else. */
final class Scenarios {
    /** Calls that only look. Every other call of the interface must be in a scenario. */
    private static final Set<String> READ_ONLY = Set.of(
            "GetPluginInfo",
            "GetPluginCapabilities",
            "Probe",
            "ValidateVolumeCapabilities",
            "ListVolumes",
            "ControllerListVolumeHealth",
            "ControllerGetVolumeHealth",
            "GetCapacity",
            "ControllerGetCapabilities",
            "ListSnapshots",
            "GetSnapshot",
            "ControllerGetVolume",
            "GroupControllerGetCapabilities",
            "GetVolumeGroupSnapshot",
            "GetMetadataAllocated",
            "GetMetadataDelta",
            "NodeGetVolumeStats",
            "NodeGetVolumeHealth",
            "NodeGetStorageHealth",
            "NodeGetCapabilities",
            "NodeGetInfo");

    private Scenarios() {}

    /** The calls that may change something, by the interface's own description. */
    static Set<String> mutatingCalls() {
        var calls = new TreeSet<String>();
        Stream.of(
                        IdentityGrpc.getServiceDescriptor(),
                        ControllerGrpc.getServiceDescriptor(),
                        GroupControllerGrpc.getServiceDescriptor(),
                        SnapshotMetadataGrpc.getServiceDescriptor(),
                        NodeGrpc.getServiceDescriptor())
                .map(ServiceDescriptor::getMethods)
                .flatMap(methods -> methods.stream().map(MethodDescriptor::getBareMethodName))
                .filter(name -> !READ_ONLY.contains(name))
                .forEach(calls::add);
        return calls;
    }

    static List<Scenario> all() {
        return Stream.concat(ControllerScenarios.all().stream(), NodeScenarios.all().stream())
                .toList();
    }
}
