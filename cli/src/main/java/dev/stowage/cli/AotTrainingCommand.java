package dev.stowage.cli;

import csi.v1.CapacityRange;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginInfoRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeGetInfoRequest;
import dev.stowage.backend.local.LocalBackend;
import dev.stowage.backend.local.LocalSettings;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.volume.Sizes;
import dev.stowage.driver.CsiDriver;
import dev.stowage.driver.DriverSettings;
import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.log.LogLevel;
import dev.stowage.driver.log.Logging;
import dev.stowage.driver.transport.Endpoint;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Rehearses a driver's start and first calls, so that the ahead-of-time cache recorded meanwhile holds what every start needs.
 *
 * <p>Nothing here needs more than a directory: no mount, no device. A build must work for anybody.
 */
@Command(name = "aot-training", hidden = true, description = "Run once while the ahead-of-time cache is recorded.")
final class AotTrainingCommand implements Callable<Integer> {

    private static final int ROUNDS = 20;

    @Override
    public Integer call() throws Exception {
        Stowage.commandLine().execute("driver", "--help", "--endpoint", "/x", "--node-id", "x");
        Path workspace = Files.createTempDirectory("stowage-training-");
        try {
            rehearse(workspace);
        } finally {
            try (var entries = Files.walk(workspace)) {
                for (Path entry : entries.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(entry);
                }
            }
        }
        return 0;
    }

    private static void rehearse(Path workspace) throws IOException, InterruptedException {
        Logging.start(LogLevel.INFO, new PrintStream(PrintStream.nullOutputStream(), false));
        Path socket = workspace.resolve("csi.sock");
        var backend = LocalBackend.open(
                LocalSettings.of("training.stowage.dev", new NodeId("training"), workspace.resolve("pool")),
                true,
                true);
        var driver = CsiDriver.start(
                DriverSettings.of("training.stowage.dev", Version.number(), new Endpoint(socket))
                        .withHttp(HttpAddress.parse("127.0.0.1:0")),
                backend);
        try (var client = CsiClient.connect(socket)) {
            client.awaitReady(Duration.ofSeconds(30), () -> true);
            for (int round = 0; round < ROUNDS; round++) {
                call(client, "training-" + round);
            }
            for (String page : new String[] {"healthz", "readyz", "metrics"}) {
                var address = URI.create("http://127.0.0.1:" + driver.httpPort().orElseThrow() + "/" + page);
                try (var answer = address.toURL().openStream()) {
                    answer.readAllBytes();
                }
            }
        } finally {
            driver.stop();
        }
    }

    private static void call(CsiClient client, String name) {
        client.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
        client.identity().getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance());
        client.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
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
