package dev.stowage.conformance.manager;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** What the liveness probe of a controller tells of its driver. It can be away, and tell of drivers that nobody has. */
final class TestingDriverPage implements AutoCloseable {

    private final HttpServer server;

    private TestingDriverPage(HttpServer server) {
        this.server = server;
    }

    /** @param port 0 for any */
    static TestingDriverPage at(int port, String driver, String capabilities) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(PodAddress.ofThisMachine(), port), 0);
        byte[] answer = """
                {"name": "%s", "version": "1", "capabilities": [%s]}""".formatted(driver, capabilities).getBytes(StandardCharsets.UTF_8);
        server.createContext("/driver", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
        return new TestingDriverPage(server);
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
