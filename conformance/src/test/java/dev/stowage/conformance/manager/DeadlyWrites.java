package dev.stowage.conformance.manager;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Stands between a manager and the real API server, and kills the manager with one of its writes: done, and not answered. */
final class DeadlyWrites implements AutoCloseable {

    private static final Pattern SERVER = Pattern.compile("https://[^\"\\s,}]+");
    private static final Set<String> READS = Set.of("GET", "HEAD");
    /** Leases are renewed all the time and change no deployment; events tell, and do nothing. */
    private static final Pattern NO_STEP = Pattern.compile(".*/(leases|events)(/.*)?$");
    /** What the HTTP client sets itself. */
    private static final Set<String> NOT_PASSED =
            Set.of("connection", "content-length", "host", "upgrade", "transfer-encoding", "http2-settings");

    private final HttpServer server;
    private final HttpClient client;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final URI target;
    private @Nullable Runnable death;
    private int writesToLive;

    private DeadlyWrites(URI target) throws IOException {
        this.target = target;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusting())
                .build();
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::pass);
        server.start();
    }

    /** Rewrites a kubeconfig so that it leads through here. */
    static DeadlyWrites before(Path kubeconfig) {
        try {
            String text = Files.readString(kubeconfig);
            var address = SERVER.matcher(text);
            if (!address.find()) {
                throw new IllegalStateException("no server in " + text);
            }
            var writes = new DeadlyWrites(URI.create(address.group()));
            Files.writeString(
                    kubeconfig,
                    address.replaceFirst(
                            "http://127.0.0.1:" + writes.server.getAddress().getPort()));
            return writes;
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The so-many-th write from now on is the last. */
    synchronized void arm(int writes, Runnable kill) {
        writesToLive = writes;
        death = kill;
    }

    /**
     * Lets whoever was to die live.
     *
     * @return whether it is not too late
     */
    synchronized boolean spare() {
        boolean lives = death != null;
        death = null;
        return lives;
    }

    /** Whether whoever was to die has done so. */
    synchronized boolean struck() {
        return death == null;
    }

    private synchronized boolean isTheLast(HttpExchange exchange) {
        if (death == null
                || READS.contains(exchange.getRequestMethod())
                || exchange.getRequestURI().toString().contains("dryRun")
                || NO_STEP.matcher(exchange.getRequestURI().getPath()).matches()) {
            return false;
        }
        return --writesToLive == 0;
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestHeaders().containsKey("Upgrade")
                    && "websocket".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Upgrade"))) {
                // Whoever watches does so by plain HTTP then.
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            var request = HttpRequest.newBuilder(
                            target.resolve(exchange.getRequestURI().toString()))
                    .method(
                            exchange.getRequestMethod(),
                            HttpRequest.BodyPublishers.ofByteArray(
                                    exchange.getRequestBody().readAllBytes()));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (!NOT_PASSED.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                    values.forEach(value -> request.header(name, value));
                }
            });
            boolean last = isTheLast(exchange);
            var reply = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            if (last) {
                strike();
                return;
            }
            answer(exchange, reply);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void strike() {
        if (death != null) {
            death.run();
            death = null;
        }
    }

    private static void answer(HttpExchange exchange, HttpResponse<InputStream> reply) throws IOException {
        reply.headers().map().forEach((name, values) -> {
            if (!NOT_PASSED.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> exchange.getResponseHeaders().add(name, value));
            }
        });
        exchange.sendResponseHeaders(reply.statusCode(), 0);
        // A watch is told piece by piece.
        try (var from = reply.body();
                var to = exchange.getResponseBody()) {
            // Whoever watches waits for the headers before there is anything to tell.
            to.flush();
            var piece = new byte[8192];
            for (int length = from.read(piece); length >= 0; length = from.read(piece)) {
                to.write(piece, 0, length);
                to.flush();
            }
        }
    }

    private static SSLContext trusting() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
            return context;
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /** The API server of a test has a certificate that it made itself. */
    private static final class Trusting extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        client.shutdownNow();
    }
}
