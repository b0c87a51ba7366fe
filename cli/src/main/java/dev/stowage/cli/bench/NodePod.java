package dev.stowage.cli.bench;

import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.ProbeRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Our node role as a kubelet and a Prometheus meet it. */
final class NodePod {

    private static final Duration REST = Duration.ofSeconds(3);
    private static final int CALLS = 100;
    private static final List<String> PAGES = List.of("/healthz", "/readyz", "/metrics");

    private NodePod() {}

    static void weigh(Workspace workspace, Path launcher, Results results) throws IOException, InterruptedException {
        int port = freePort();
        var node =
                workspace.register(Ours.node("ours-node", workspace.directory().resolve("node"), launcher, port));
        try {
            node.start();
            meet(node, port, results);
        } finally {
            node.stop();
        }
    }

    private static void meet(Ours node, int port, Results results) throws IOException, InterruptedException {
        Thread.sleep(REST);
        results.add(new Results.Footprint(Aims.NODE_ROLE, "idle", node.memory()));
        try (var http = HttpClient.newHttpClient()) {
            for (int i = 0; i < CALLS; i++) {
                node.client().identity().probe(ProbeRequest.getDefaultInstance());
                node.client().node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
                node.client().node().nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance());
                for (String page : PAGES) {
                    http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + page))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding());
                }
            }
        }
        results.add(new Results.Footprint(Aims.NODE_ROLE, Aims.AFTER_CALLS, node.memory()));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
