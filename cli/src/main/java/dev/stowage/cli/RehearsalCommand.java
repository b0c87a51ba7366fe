package dev.stowage.cli;

import csi.v1.CapacityRange;
import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginInfoRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGetInfoRequest;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.core.volume.Sizes;
import dev.stowage.driver.transport.Endpoint;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Calls a driver the way an orchestrator does at first, so that the ahead-of-time cache recorded meanwhile holds what every start
 * needs. Nothing here needs more of the driver than a directory: a build must work for anybody.
 */
@Command(name = "rehearsal", hidden = true, description = "Call a driver while its ahead-of-time cache is recorded.")
final class RehearsalCommand implements Callable<Integer> {

    private static final int ROUNDS = 20;
    private static final Duration START = Duration.ofSeconds(60);

    @Option(names = "--endpoint", required = true, paramLabel = "unix:///PATH", description = "The driver's socket.")
    private String endpoint = "";

    @Override
    public Integer call() throws Exception {
        try (var client = CsiClient.connect(Endpoint.parse(endpoint).socket())) {
            if (!client.awaitReady(START, () -> true)) {
                System.err.println("stowage: the driver at " + endpoint + " did not answer");
                return 1;
            }
            for (int round = 0; round < ROUNDS; round++) {
                call(client, "rehearsal-" + round);
            }
        }
        return 0;
    }

    private static void call(CsiClient client, String name) {
        client.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
        client.identity().getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance());
        client.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
        client.node().nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance());
        client.controller().controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance());
        var volume = client.controller()
                .createVolume(CreateVolumeRequest.newBuilder()
                        .setName(name)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(4 * Sizes.MIB))
                        .addVolumeCapabilities(CsiClient.mounted(""))
                        .build())
                .getVolume();
        client.controller().listVolumes(ListVolumesRequest.getDefaultInstance());
        client.controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .build());
    }
}
