package dev.stowage.backend.vsc.node;

import dev.stowage.array.ArraySettings;
import dev.stowage.array.StorageArray;
import dev.stowage.array.iscsi.Portal;
import dev.stowage.array.rest.RestServer;
import dev.stowage.arrayapi.ArrayAddress;
import dev.stowage.arrayapi.ArrayClient;
import dev.stowage.arrayapi.NewVolume;
import dev.stowage.backend.vsc.secret.NodePublicKey;
import dev.stowage.backend.vsc.secret.Sealing;
import dev.stowage.backend.vsc.secret.Secret;
import dev.stowage.core.id.VolumeId;
import dev.stowage.iscsi.Iqn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A real array, and what a controller would tell nodes of its volumes. */
final class ServedArray implements AutoCloseable {

    private final StorageArray array;
    private final RestServer rest;
    private final HttpClient http = HttpClient.newHttpClient();
    final ArrayClient client;

    ServedArray(Path directory) throws IOException {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        array = StorageArray.open(new ArraySettings(
                "array",
                directory,
                "token",
                List.of(new Portal("127.0.0.1", port)),
                OptionalLong.empty(),
                false,
                "24.03",
                Optional.empty()));
        rest = RestServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty(), array);
        client = ArrayClient.of(
                http,
                ArrayAddress.parse("http://127.0.0.1:" + rest.port(), false),
                () -> "token",
                Duration.ofSeconds(30));
    }

    VolumeId volume(String name) {
        var pool = client.pools().getFirst().id();
        return new VolumeId(client.createVolume(new NewVolume(name, 1, pool, true, Map.of())));
    }

    /** Attaches a volume, and returns the context of that attachment. */
    Map<String, String> attach(VolumeId volume, Iqn initiator, String node, NodePublicKey key, boolean readOnly) {
        var server = client.servers().stream()
                .filter(known -> known.iqn().equals(initiator.value()))
                .map(known -> known.id())
                .findFirst()
                .orElseGet(() -> client.createServer(node, initiator.value(), ""));
        client.attach(server, volume.value(), readOnly, Optional.empty());
        var unit = client.units(volume.value()).stream()
                .filter(one -> one.server().equals(server))
                .findFirst()
                .orElseThrow();
        var controller = client.controller().orElseThrow();
        var context = new HashMap<String, String>();
        context.put("protocol", "iscsi");
        context.put("target", unit.target());
        context.put("lun", String.valueOf(unit.lun()));
        context.put("portals", String.join(",", controller.portals()));
        unit.serial().ifPresent(serial -> context.put("serial", serial));
        context.put("chapUser", controller.chapUser());
        context.put("sealedChap", Sealing.seal(new Secret(controller.chapSecret()), key, node, volume.value()));
        var proof = unit.proof().orElseThrow();
        context.put("targetChapUser", proof.user());
        context.put("sealedTargetChap", sealedProof(proof.secret(), volume, node, key));
        if (readOnly) {
            context.put("readOnly", "true");
        }
        return context;
    }

    static String sealedProof(String secret, VolumeId volume, String node, NodePublicKey key) {
        return Sealing.seal(new Secret(secret), key, node, Sealing.ofTarget(volume.value()));
    }

    /** Whether any node is connected. */
    boolean connected() {
        return client.servers().stream().anyMatch(server -> server.connected().orElse(false));
    }

    /** Ends the node's connections and shuts it out. */
    void fence(VolumeId volume, Iqn initiator) {
        client.servers().stream()
                .filter(known -> known.iqn().equals(initiator.value()))
                .forEach(known -> client.detach(volume.value(), known.id(), true));
    }

    @Override
    public void close() {
        rest.close();
        array.close();
        http.close();
    }
}
