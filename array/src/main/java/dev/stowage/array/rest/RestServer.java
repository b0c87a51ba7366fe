package dev.stowage.array.rest;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.stowage.array.StorageArray;
import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves the API over HTTP or HTTPS. */
public final class RestServer implements AutoCloseable {

    private static final int THREADS = 32;
    private static final int BACKLOG = 256;

    private final HttpServer server;
    private final ExecutorService threads;

    private RestServer(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    public static RestServer start(InetSocketAddress address, Optional<Tls> tls, StorageArray array) {
        // Answers are small and come at once; to wait for more to send would only make them late.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var threads = Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().daemon().name("api-", 1).factory());
        try {
            var server = create(address, tls);
            server.setExecutor(threads);
            server.createContext("/", new Exchanges(array)::serve);
            server.start();
            return new RestServer(server, threads);
        } catch (IOException failed) {
            threads.shutdown();
            throw StowageException.notPossible("address %s: cannot listen on it: %s; choose another", address, failed);
        }
    }

    private static HttpServer create(InetSocketAddress address, Optional<Tls> tls) throws IOException {
        if (tls.isEmpty()) {
            return HttpServer.create(address, BACKLOG);
        }
        var context = tls.get().context();
        var server = HttpsServer.create(address, BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return server;
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
