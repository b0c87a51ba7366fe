package dev.stowage.driver.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import dev.stowage.driver.Ending;
import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.testing.Eventually;
import dev.stowage.driver.testing.TestingBackend;
import dev.stowage.driver.testing.TestingDriver;
import dev.stowage.driver.transport.CsiChannel;
import dev.stowage.driver.transport.Endpoint;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pluginregistration.v1.InfoRequest;
import pluginregistration.v1.PluginInfo;
import pluginregistration.v1.RegistrationGrpc;
import pluginregistration.v1.RegistrationStatus;

class KubeletRegistrationTest {

    @TempDir
    Path directory;

    @Test
    void theKubeletLearnsWhoTheDriverIsAndTheDriverIsReadyOnceItIsTaken() throws Exception {
        try (var driver = driver(Optional.empty())) {
            assertThat(ready(driver).statusCode()).isEqualTo(503);
            assertThat(ready(driver).body()).contains("has not registered");

            try (var kubelet = kubelet()) {
                var info = ask(kubelet);
                assertThat(info.getType()).isEqualTo("CSIPlugin");
                assertThat(info.getName()).isEqualTo(TestingDriver.NAME);
                assertThat(info.getEndpoint())
                        .isEqualTo(driver.endpoint.socket().toString());
                assertThat(info.getSupportedVersionsList()).containsExactly("1.0.0");
                tell(kubelet, true, "");
            }
            Eventually.isTrue("ready", () -> status(driver) == 200);
        }
        assertThat(socket()).doesNotExist();
    }

    @Test
    void theSocketIsNamedAsTheKubeletSeesIt() {
        try (var driver = driver(Optional.of("/var/lib/kubelet/plugins/x/csi.sock"));
                var kubelet = kubelet()) {
            assertThat(driver.driver.httpPort()).isPresent();
            assertThat(ask(kubelet).getEndpoint()).isEqualTo("/var/lib/kubelet/plugins/x/csi.sock");
        }
    }

    @Test
    void aRefusalEndsTheDriverWithTheReason() throws Exception {
        try (var driver = driver(Optional.empty());
                var kubelet = kubelet()) {
            tell(kubelet, false, "the name is taken");
            assertThat(driver.driver.awaitStop()).isEqualTo(new Ending.RegistrationRefused("the name is taken"));
            assertThat(ready(driver).statusCode()).isEqualTo(503);
            assertThat(ready(driver).body()).contains("the name is taken");
        }
    }

    @Test
    void aSocketThatWasRemovedIsMadeAgainAndTheDriverWaitsToBeTakenAgain() throws Exception {
        var refusals = new CopyOnWriteArrayList<String>();
        try (var registration = KubeletRegistration.start(
                directory, TestingDriver.NAME, "/csi.sock", Duration.ofMillis(20), refusals::add)) {
            try (var kubelet = kubelet()) {
                tell(kubelet, true, "");
            }
            Eventually.isTrue("registered", () -> registration.state() instanceof RegistrationState.Registered);
            Files.delete(socket());
            Eventually.isTrue("waiting", () -> registration.state() instanceof RegistrationState.Waiting);
            Eventually.isTrue("socket again", () -> Files.exists(socket()));
            try (var kubelet = kubelet()) {
                assertThat(ask(kubelet).getName()).isEqualTo(TestingDriver.NAME);
                tell(kubelet, true, "");
            }
            Eventually.isTrue("registered", () -> registration.state() instanceof RegistrationState.Registered);
        }
        assertThat(refusals).isEmpty();
    }

    @Test
    void aStaleRegistrationSocketIsReplacedAndALiveOneIsNot() throws Exception {
        try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(socket()));
        }
        try (var _ = start()) {
            try (var kubelet = kubelet()) {
                assertThat(ask(kubelet).getName()).isEqualTo(TestingDriver.NAME);
            }
            assertThatThrownBy(this::start)
                    .isInstanceOf(StowageException.NotPossible.class)
                    .hasMessageContaining(socket().toString());
        }
    }

    @Test
    void aMissingDirectoryIsAClearError() {
        assertThatThrownBy(() -> TestingDriver.of(
                        TestingBackend.complete(),
                        settings -> settings.withRegistration(directory.resolve("missing"), Optional.empty())))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining(directory.resolve("missing").toString());
    }

    private KubeletRegistration start() {
        return KubeletRegistration.start(
                directory, TestingDriver.NAME, "/csi.sock", Duration.ofSeconds(1), reason -> {});
    }

    private TestingDriver driver(Optional<String> kubeletSocket) {
        return TestingDriver.of(
                TestingBackend.complete(),
                settings ->
                        settings.withHttp(HttpAddress.parse("127.0.0.1:0")).withRegistration(directory, kubeletSocket));
    }

    private Path socket() {
        return directory.resolve(TestingDriver.NAME + "-reg.sock");
    }

    private CsiChannel kubelet() {
        return CsiChannel.to(new Endpoint(socket()));
    }

    private static PluginInfo ask(CsiChannel kubelet) {
        return RegistrationGrpc.newBlockingStub(kubelet.grpc()).getInfo(InfoRequest.getDefaultInstance());
    }

    private static void tell(CsiChannel kubelet, boolean registered, String error) {
        var _ = RegistrationGrpc.newBlockingStub(kubelet.grpc())
                .notifyRegistrationStatus(RegistrationStatus.newBuilder()
                        .setPluginRegistered(registered)
                        .setError(error)
                        .build());
    }

    private static int status(TestingDriver driver) {
        try {
            return ready(driver).statusCode();
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    private static HttpResponse<String> ready(TestingDriver driver) throws IOException, InterruptedException {
        var uri = URI.create("http://127.0.0.1:" + driver.driver.httpPort().orElseThrow() + "/readyz");
        try (var client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
