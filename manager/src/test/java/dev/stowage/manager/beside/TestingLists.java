package dev.stowage.manager.beside;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers like an API server that gives one object at a time, however many are asked for, and remembers what it was asked. */
final class TestingLists implements AutoCloseable {

    private static final String CONTINUE = "continue=";

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final Map<String, List<HasMetadata>> objects = new HashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final KubernetesClient client;

    TestingLists() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        var config = new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build();
        client = new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build();
    }

    void add(HasMetadata object) {
        objects.computeIfAbsent(object.getPlural(), plural -> new ArrayList<>()).add(object);
    }

    KubernetesClient client() {
        return client;
    }

    /** The beginnings of lists, as the plural of what was listed. */
    List<String> lists() {
        return asked.stream()
                .filter(request -> !request.contains(CONTINUE))
                .map(request -> plural(request.replaceFirst("\\?.*", "")))
                .toList();
    }

    /** All requests. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    private static String plural(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.add(exchange.getRequestURI().toString());
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            int at = query.contains(CONTINUE)
                    ? Integer.parseInt(query.replaceFirst(".*" + CONTINUE, "").replaceFirst("&.*", ""))
                    : 0;
            var all = objects.getOrDefault(plural(exchange.getRequestURI().getPath()), List.of());
            var body = serialization
                    .asJson(Map.of(
                            "metadata",
                            at + 1 < all.size() ? Map.of("continue", String.valueOf(at + 1)) : Map.of(),
                            "items",
                            all.isEmpty() ? List.of() : List.of(all.get(at))))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
    }
}
