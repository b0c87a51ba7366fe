package dev.stowage.workbench.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Asks parts of a cluster how they are, over HTTP, trusting the cluster's authority alone. */
final class HealthCheck implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final HttpClient client;

    HealthCheck(Path authority) {
        client = HttpClient.newBuilder()
                .connectTimeout(PATIENCE)
                .sslContext(trusting(authority))
                .build();
    }

    PartStatus ask(String part, String address) {
        try {
            var request = HttpRequest.newBuilder(URI.create(address))
                    .timeout(PATIENCE)
                    .build();
            int code = client.send(request, BodyHandlers.discarding()).statusCode();
            return new PartStatus(part, code == 200, code == 200 ? "ok" : address + " answers " + code);
        } catch (IOException failure) {
            var reason = failure.getMessage();
            return new PartStatus(
                    part, false, "%s does not answer%s".formatted(address, reason == null ? "" : ": " + reason));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new PartStatus(part, false, "interrupted while asking");
        }
    }

    private static SSLContext trusting(Path authority) {
        try (var file = Files.newInputStream(authority)) {
            var keys = KeyStore.getInstance(KeyStore.getDefaultType());
            keys.load(null, null);
            keys.setCertificateEntry(
                    "cluster", CertificateFactory.getInstance("X.509").generateCertificate(file));
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(keys);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException failure) {
            throw new IllegalStateException("cannot trust the certificates of " + authority, failure);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
