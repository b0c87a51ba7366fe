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
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Stands between a manager and the real API server, and sees every request. */
final class Passage implements AutoCloseable {

    private static final Pattern SERVER = Pattern.compile("https://[^\"\\s,}]+");
    /** What the HTTP client sets itself. */
    private static final Set<String> NOT_PASSED =
            Set.of("connection", "content-length", "host", "upgrade", "transfer-encoding", "http2-settings");

    private final HttpServer server;
    private final HttpClient client;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final URI target;
    private final Predicate<HttpExchange> done;

    private Passage(URI target, Predicate<HttpExchange> done) throws IOException {
        this.target = target;
        this.done = done;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusting())
                .build();
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::pass);
        server.start();
    }

    /**
     * Rewrites a kubeconfig so that it leads through here.
     *
     * @param done is told of each request that the API server has answered, and says whether the answer goes on to whoever asked
     */
    static Passage before(Path kubeconfig, Predicate<HttpExchange> done) {
        try {
            String text = Files.readString(kubeconfig);
            var address = SERVER.matcher(text);
            if (!address.find()) {
                throw new IllegalStateException("no server in " + text);
            }
            var passage = new Passage(URI.create(address.group()), done);
            Files.writeString(
                    kubeconfig,
                    address.replaceFirst(
                            "http://127.0.0.1:" + passage.server.getAddress().getPort()));
            return passage;
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
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
            var reply = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            if (done.test(exchange)) {
                answer(exchange, reply);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
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
