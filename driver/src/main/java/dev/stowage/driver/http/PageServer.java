package dev.stowage.driver.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stowage.core.error.StowageException;
import dev.stowage.driver.transport.Workers;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;

/** A few pages for kubelets, Prometheus and people, on threads of their own. */
public final class PageServer implements AutoCloseable {

    private static final int THREADS = 8;
    private static final int BACKLOG = 64;
    private static final String SECONDS_FOR_A_REQUEST = "10";
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads;

    private PageServer(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /** What is served at one path. */
    @FunctionalInterface
    public interface Page {
        Reply reply(HttpExchange exchange);
    }

    /** Starts to serve, each page at its path and nowhere below. */
    public static PageServer start(HttpAddress address, Map<String, Page> pages) {
        boundSlowClients();
        var threads = Workers.upTo(THREADS, "http");
        try {
            var server = HttpServer.create(address.resolve(), BACKLOG);
            server.setExecutor(threads);
            pages.forEach((path, page) -> serve(server, path, page::reply));
            server.start();
            return new PageServer(server, threads);
        } catch (IOException failed) {
            threads.shutdown();
            throw StowageException.notPossible(
                    "http address %s: cannot listen on it: %s; choose another", address, failed);
        }
    }

    /** 200 while the condition has no problem, otherwise 503 and the problem. */
    public static Page condition(Condition condition) {
        return exchange ->
                condition.problem().map(problem -> Reply.text(503, problem)).orElseGet(() -> Reply.text(200, "ok"));
    }

    /** Figures in Prometheus' text format. */
    public static Page metrics(Supplier<String> text) {
        return exchange -> new Reply(200, METRICS_TYPE, text.get());
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
