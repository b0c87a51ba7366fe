package dev.stowage.cli.driver;

import dev.stowage.backend.vsc.VscSettings;
import dev.stowage.backend.vsc.central.VscController;
import dev.stowage.backend.vsc.central.placement.Allocator;
import dev.stowage.backend.vsc.node.VscNodeBackend;
import dev.stowage.backend.vsc.node.VscNodeSettings;
import dev.stowage.cli.Version;
import dev.stowage.core.backend.Backend;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.kube.KubernetesClients;
import java.util.Arrays;

/** The backend of arrays. Nothing else here names its classes, so that a process without arrays never loads them. */
final class ArrayVolumes {

    private static final int LOST_LEADERSHIP = 1;

    private ArrayVolumes() {}

    static Backend controller(ArrayOptions.Settings arrays, ClusterOptions.Settings cluster) {
        var settings = new VscSettings(
                cluster.driverName(),
                Version.number(),
                cluster.kubeconfig(),
                cluster.namespace().orElseGet(KubernetesClients::namespace),
                new VscSettings.Arrays(
                        arrays.tls(), arrays.verify(), arrays.trusted(), arrays.timeout(), arrays.interval()),
                allocator(arrays.allocator()),
                new VscSettings.Fencing(!arrays.fenceAfter().isZero(), arrays.fenceAfter(), arrays.taint()));
        return VscController.open(settings, arrays.keys(), ArrayVolumes::end);
    }

    static Backend node(ArrayOptions.Settings arrays, ClusterOptions.Settings cluster, NodeId node) {
        return VscNodeBackend.open(new VscNodeSettings(
                node,
                Version.number(),
                cluster.kubeconfig(),
                arrays.nodeAddress(),
                arrays.storageNetwork(),
                arrays.stateDirectory(),
                arrays.initiator(),
                arrays.initiatorDirectory()));
    }

    private static Allocator allocator(String name) {
        return Arrays.stream(Allocator.values())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> StowageException.invalid(
                        "--allocator %s: there are %s", name, Arrays.toString(Allocator.values())));
    }

    /** Whoever leads next may have begun already: nothing may be finished in order. */
    private static void end(String reason) {
        System.err.println("stowage: " + reason);
        Runtime.getRuntime().halt(LOST_LEADERSHIP);
    }
}
