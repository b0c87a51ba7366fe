package dev.stowage.driver.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stowage.core.error.StowageException;
import dev.stowage.driver.log.LogLevel;
import dev.stowage.driver.transport.Workers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /healthz}, {@code /readyz}, {@code /metrics} and {@code /loglevel}, on threads of their own. */
public final class ObservabilityServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ObservabilityServer.class);
    private static final int THREADS = 8;
    private static final int BACKLOG = 64;
    private static final String SECONDS_FOR_A_REQUEST = "10";

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
            server.createContext("/healthz", exchange -> Replies.condition(exchange, "/healthz", alive));
            server.createContext("/readyz", exchange -> Replies.condition(exchange, "/readyz", ready));
            server.createContext("/metrics", exchange -> Replies.metrics(exchange, metrics));
            server.createContext("/loglevel", ObservabilityServer::logLevel);
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

    /** The port that was taken. */
    public int port() {
        return server.getAddress().getPort();
    }

    private static void logLevel(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "GET" ->
                Replies.text(exchange, "/loglevel", 200, LogLevel.current().word() + "\n");
            case "PUT" -> changeLogLevel(exchange);
            default -> Replies.text(exchange, "/loglevel", 405, "use GET, or PUT with ?level=debug\n");
        }
    }

    private static void changeLogLevel(HttpExchange exchange) throws IOException {
        if (!exchange.getRemoteAddress().getAddress().isLoopbackAddress()) {
            Replies.text(
                    exchange,
                    "/loglevel",
                    403,
                    "the log level can only be changed from this machine itself, through a loopback address\n");
            return;
        }
        var query = exchange.getRequestURI().getQuery();
        if (query == null || !query.startsWith("level=")) {
            Replies.text(exchange, "/loglevel", 400, "say which level: PUT /loglevel?level=debug\n");
            return;
        }
        try {
            var level = LogLevel.parse(query.substring("level=".length()));
            LogLevel.set(level);
            LOG.info("the log level is now {}", level.word());
            Replies.text(exchange, "/loglevel", 200, level.word() + "\n");
        } catch (StowageException notALevel) {
            Replies.text(exchange, "/loglevel", 400, notALevel.getMessage() + "\n");
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }

    /** What is written back. */
    private static final class Replies {

        private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

        static void condition(HttpExchange exchange, String path, Condition condition) throws IOException {
            var problem = condition.problem();
            text(
                    exchange,
                    path,
                    problem.isEmpty() ? 200 : 503,
                    problem.map(text -> text + "\n").orElse("ok\n"));
        }

        static void metrics(HttpExchange exchange, Supplier<String> metrics) throws IOException {
            send(exchange, "/metrics", 200, METRICS_TYPE, metrics.get());
        }

        static void text(HttpExchange exchange, String path, int status, String body) throws IOException {
            send(exchange, path, status, "text/plain; charset=utf-8", body);
        }

        /** A context also gets everything below its path. */
        private static void send(HttpExchange exchange, String path, int status, String type, String body)
                throws IOException {
            boolean exact = exchange.getRequestURI().getPath().equals(path);
            byte[] bytes = (exact ? body : "not found\n").getBytes(StandardCharsets.UTF_8);
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Type", type);
                boolean head = exchange.getRequestMethod().equals("HEAD");
                exchange.sendResponseHeaders(exact ? status : 404, head ? -1 : bytes.length);
                if (!head) {
                    exchange.getResponseBody().write(bytes);
                }
            }
        }
    }
}
