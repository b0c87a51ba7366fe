package dev.stowage.driver.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stowage.core.error.StowageException;
import dev.stowage.driver.transport.Workers;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;

/** {@code /healthz}, {@code /readyz}, {@code /metrics} and {@code /loglevel}, on threads of their own. */
public final class ObservabilityServer implements AutoCloseable {

    private static final int THREADS = 8;
    private static final int BACKLOG = 64;
    private static final String SECONDS_FOR_A_REQUEST = "10";
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads;

    private ObservabilityServer(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    public static ObservabilityServer start(
            HttpAddress address, Condition alive, Condition ready, Supplier<String> metrics) {
        boundSlowClients();
        var threads = Workers.upTo(THREADS, "http");
        try {
            var server = HttpServer.create(address.resolve(), BACKLOG);
            server.setExecutor(threads);
            serve(server, "/healthz", exchange -> condition(alive));
            serve(server, "/readyz", exchange -> condition(ready));
            serve(server, "/metrics", exchange -> new Reply(200, METRICS_TYPE, metrics.get()));
            serve(server, "/loglevel", LogLevelPage::reply);
            server.start();
            return new ObservabilityServer(server, threads);
        } catch (IOException failed) {
            throw StowageException.notPossible(
                    "http address %s: cannot listen on it: %s; choose another", address, failed);
        }
    }

    /** A client that sends or takes a byte a minute must not keep the kubelet's health check waiting. */
    private static void boundSlowClients() {
        for (String property : new String[] {"sun.net.httpserver.maxReqTime", "sun.net.httpserver.maxRspTime"}) {
            if (System.getProperty(property) == null) {
                System.setProperty(property, SECONDS_FOR_A_REQUEST);
            }
        }
    }

    /** The JDK's server also sends everything below a path here, which is not meant. */
    private static void serve(HttpServer server, String path, Function<HttpExchange, Reply> page) {
        server.createContext(path, exchange -> {
            try (exchange) {
                boolean meant = exchange.getRequestURI().getPath().equals(path);
                (meant ? page.apply(exchange) : Reply.text(404, "not found")).send(exchange);
            }
        });
    }

    private static Reply condition(Condition condition) {
        return condition.problem().map(problem -> Reply.text(503, problem)).orElseGet(() -> Reply.text(200, "ok"));
    }

    /** The port that was taken. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
