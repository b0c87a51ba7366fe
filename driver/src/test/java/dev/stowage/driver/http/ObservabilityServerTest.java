package dev.stowage.driver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.ProbeRequest;
import dev.stowage.core.error.StowageException;
import dev.stowage.driver.log.LogLevel;
import dev.stowage.driver.testing.Eventually;
import dev.stowage.driver.testing.TestingBackend;
import dev.stowage.driver.testing.TestingDriver;
import dev.stowage.driver.testing.TestingLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservabilityServerTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private TestingDriver driver;

    @BeforeEach
    void start() {
        driver = TestingDriver.of(
                TestingBackend.complete(), settings -> settings.withHttp(HttpAddress.parse("127.0.0.1:0")));
    }

    @AfterEach
    void stop() {
        driver.close();
        client.close();
    }

    @Test
    void aDriverThatServesIsAliveAndReady() throws Exception {
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        assertThat(get("/healthz").body()).isEqualTo("ok\n");
    }

    @Test
    void aDriverWhoseSocketIsGoneIsNotAliveBecauseOnlyARestartHelps() throws Exception {
        Files.delete(driver.endpoint.socket());
        assertThat(get("/healthz").statusCode()).isEqualTo(503);
        assertThat(get("/healthz").body()).contains(driver.endpoint.socket().toString());
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
    }

    @Test
    void hangingStorageDoesNotMakeTheProcessUnhealthy() throws Exception {
        var hanging = new AtomicInteger();
        var never = new CountDownLatch(1);
        driver.backend.onCall = name -> {
            hanging.incrementAndGet();
            awaitQuietly(never);
        };
        for (int i = 0; i < 20; i++) {
            var _ = driver.nodeAsync()
                    .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                            .setVolumeId("v")
                            .setVolumePath("/t")
                            .build());
        }
        Eventually.isTrue("twenty calls hang", () -> hanging.get() == 20);
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
        assertThat(get("/metrics").body()).contains("stowage_csi_calls_in_flight{rpc=\"NodeGetVolumeStats\"} 20\n");
        never.countDown();
    }

    @Test
    void clientsThatSayNothingDoNotBlockTheHealthCheck() throws Exception {
        var silent = new ArrayList<Socket>();
        try {
            for (int i = 0; i < 20; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), port()));
            }
            assertThat(get("/healthz").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void metricsTellOfTheCalls() throws Exception {
        driver.identity().probe(ProbeRequest.getDefaultInstance());
        Eventually.isTrue(
                "the call is counted",
                () -> body("/metrics").contains("stowage_csi_calls_total{rpc=\"Probe\",code=\"OK\"} 1\n"));
        assertThat(get("/metrics").headers().firstValue("Content-Type"))
                .contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(body("/metrics")).contains("driver=\"" + TestingDriver.NAME + "\",version=\"1.2.3\"");
    }

    @Test
    void theLogLevelIsReadAndChanged() throws Exception {
        try (var _ = new TestingLog(LogLevel.INFO)) {
            assertThat(get("/loglevel").body()).isEqualTo("info\n");
            assertThat(send("PUT", "/loglevel?level=debug").statusCode()).isEqualTo(200);
            assertThat(LogLevel.current()).isEqualTo(LogLevel.DEBUG);
            assertThat(get("/loglevel").body()).isEqualTo("debug\n");
            assertThat(send("PUT", "/loglevel?level=loud").statusCode()).isEqualTo(400);
            assertThat(send("PUT", "/loglevel").statusCode()).isEqualTo(400);
            assertThat(send("POST", "/loglevel?level=info").statusCode()).isEqualTo(405);
            assertThat(send("PUT", "/loglevel/x?level=info").statusCode()).isEqualTo(404);
            assertThat(LogLevel.current()).isEqualTo(LogLevel.DEBUG);
        }
    }

    @Test
    void onlyThisMachineMayChangeTheLogLevel() throws Exception {
        assertThat(LogLevelPage.mayChange(InetAddress.ofLiteral("127.0.0.1"))).isTrue();
        assertThat(LogLevelPage.mayChange(InetAddress.ofLiteral("::1"))).isTrue();
        assertThat(LogLevelPage.mayChange(InetAddress.ofLiteral("10.0.0.1"))).isFalse();
        assertThat(LogLevelPage.mayChange(InetAddress.ofLiteral("fe80::1"))).isFalse();
    }

    @Test
    void otherPathsAreNotFound() throws Exception {
        for (String path : List.of("/", "/healthz/x", "/healthzx", "/metrics/x")) {
            assertThat(get(path).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    void anAddressInUseIsAClearErrorAndNothingIsLeftBehind() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var backend = TestingBackend.complete();
            assertThatThrownBy(() -> TestingDriver.of(
                            backend, settings -> settings.withHttp(new HttpAddress("127.0.0.1", taken.getLocalPort()))))
                    .isInstanceOf(StowageException.NotPossible.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("in use");
            assertThat(backend.closed).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "9808", "localhost", "localhost:", ":x", "a b:1", "1.2.3.4:99999", "::1:9808", "http://x:1"})
    void aMalformedAddressIsRefused(String text) {
        assertThatThrownBy(() -> HttpAddress.parse(text))
                .isInstanceOf(StowageException.InvalidRequest.class)
                .hasMessageContaining("http address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:9808", ":9808", "[::1]:9808", "localhost:0"})
    void aUsualAddressIsUnderstood(String text) {
        assertThat(HttpAddress.parse(text)).hasToString(text);
    }

    private int port() {
        return driver.driver.httpPort().orElseThrow();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path);
    }

    private String body(String path) {
        try {
            return get(path).body();
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
