package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.array.rest.RestServer;
import dev.stowage.array.rest.Tls;
import dev.stowage.array.testing.ArrayUnderTest;
import dev.stowage.core.error.StowageException;
import dev.stowage.linux.command.Commands;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API over HTTPS, for those who trust the certificate and for nobody else. */
class HttpsTest {

    @TempDir
    private Path scratch;

    @Test
    void whoeverTrustsTheCertificateIsAnsweredAndOthersTurnAway() throws Exception {
        var tls = tls("ec", "-pkeyopt", "ec_paramgen_curve:P-256");
        try (var array = new ArrayUnderTest();
                var server = RestServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.of(tls), array.array());
                var trusting = HttpClient.newBuilder().sslContext(trusting(tls)).build();
                var doubting = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/api/pools.json"))
                    .header("X-Access-Key", ArrayUnderTest.TOKEN)
                    .build();

            assertThat(trusting.send(request, BodyHandlers.ofString()).body()).contains("pool-00000001");
            assertThatThrownBy(() -> doubting.send(request, BodyHandlers.ofString()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void aKeyThatIsNoneIsToldSo() throws Exception {
        var tls = tls("rsa", "-pkeyopt", "rsa_keygen_bits:2048");
        var wrong = new Tls(tls.certificate(), tls.certificate());
        try (var array = new ArrayUnderTest()) {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            assertThatThrownBy(() -> RestServer.start(address, Optional.of(wrong), array.array()))
                    .isInstanceOf(StowageException.InvalidRequest.class)
                    .hasMessageContaining("PKCS #8");
        }
    }

    private Tls tls(String algorithm, String... options) throws IOException {
        var certificate = scratch.resolve(algorithm + ".crt");
        var key = scratch.resolve(algorithm + ".key");
        Commands.query(
                        Duration.ofMinutes(1),
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        algorithm,
                        options[0],
                        options[1],
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=localhost",
                        "-addext",
                        "subjectAltName=DNS:localhost",
                        "-keyout",
                        key.toString(),
                        "-out",
                        certificate.toString())
                .orThrow();
        assertThat(Files.readString(key)).contains("BEGIN PRIVATE KEY");
        return new Tls(certificate, key);
    }

    private static SSLContext trusting(Tls tls) throws Exception {
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (var stream = Files.newInputStream(tls.certificate())) {
            trusted.setCertificateEntry(
                    "array", CertificateFactory.getInstance("X.509").generateCertificate(stream));
        }
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
