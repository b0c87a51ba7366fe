package dev.stowage.driver.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import csi.v1.CreateVolumeRequest;
import csi.v1.CreateVolumeResponse;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodeGetVolumeStatsResponse;
import csi.v1.ProbeRequest;
import dev.stowage.core.error.StowageException.NotPossible;
import dev.stowage.driver.CsiDriver;
import dev.stowage.driver.DriverSettings;
import dev.stowage.driver.testing.Capabilities;
import dev.stowage.driver.testing.Eventually;
import dev.stowage.driver.testing.TestingBackend;
import dev.stowage.driver.testing.TestingDriver;
import io.grpc.Status;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsiServerTest {

    @TempDir
    Path directory;

    @Test
    void theSocketOfADeadProcessIsReplaced() throws Exception {
        var path = directory.resolve("csi.sock");
        try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path));
        }
        assertThat(path).exists();

        var driver = start(path);
        try (var channel = CsiChannel.to(new Endpoint(path))) {
            assertThat(csi.v1.IdentityGrpc.newBlockingStub(channel.grpc())
                            .probe(ProbeRequest.getDefaultInstance())
                            .getReady()
                            .getValue())
                    .isTrue();
        } finally {
            driver.stop();
        }
    }

    @Test
    void theSocketOfALivingProcessIsLeftAlone() {
        try (var living = TestingDriver.complete()) {
            var path = living.endpoint.socket();
            assertThatThrownBy(() -> start(path))
                    .isInstanceOf(NotPossible.class)
                    .hasMessageContaining(path.toString())
                    .hasMessageContaining("another process listens");
            assertThat(living.identity()
                            .probe(ProbeRequest.getDefaultInstance())
                            .getReady()
                            .getValue())
                    .isTrue();
        }
    }

    @Test
    void aFileThatIsNoSocketIsNeverRemoved() throws Exception {
        var path = Files.writeString(directory.resolve("csi.sock"), "precious");
        assertThatThrownBy(() -> start(path)).isInstanceOf(NotPossible.class).hasMessageContaining("not a socket");
        assertThat(path).hasContent("precious");
    }

    @Test
    void aMissingDirectoryIsNamed() {
        var path = directory.resolve("missing/csi.sock");
        assertThatThrownBy(() -> start(path))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining(directory.resolve("missing").toString());
    }

    @Test
    void aBackendIsClosedWhenTheDriverCannotStart() {
        var backend = TestingBackend.complete();
        assertThatThrownBy(() -> CsiDriver.start(
                        DriverSettings.of("x.y", "1", new Endpoint(directory.resolve("missing/csi.sock"))), backend))
                .isInstanceOf(NotPossible.class);
        assertThat(backend.closed).isTrue();
    }

    @Test
    void onlyTheOwnerAndItsGroupReachTheSocketAndItGoesAtTheEnd() throws Exception {
        var path = directory.resolve("csi.sock");
        var driver = start(path);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-rw----");
        driver.stop();
        assertThat(path).doesNotExist();
    }

    @Test
    void whoeverSeesTheSocketCanConnectAtOnce() throws Exception {
        for (int i = 0; i < 20; i++) {
            var path = directory.resolve("csi" + i + ".sock");
            var connected = CompletableFuture.supplyAsync(() -> connectWhenSeen(path));
            var driver = start(path);
            assertThat(connected.get(10, TimeUnit.SECONDS)).isTrue();
            driver.stop();
            assertThat(directory).isEmptyDirectory();
        }
    }

    private static boolean connectWhenSeen(Path path) {
        while (!Files.exists(path)) {
            Thread.onSpinWait();
        }
        try (var connection = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return connection.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void aSocketThatIsNoLongerOursIsNotRemovedAtTheEnd() throws Exception {
        var path = directory.resolve("csi.sock");
        var first = start(path);
        Files.delete(path);
        var second = start(path);
        first.stop();
        assertThat(path).exists();
        second.stop();
        assertThat(path).doesNotExist();
    }

    @Test
    void stoppingFinishesACallThatIsUnderWayAndThenClosesTheBackend() throws Exception {
        try (var driver = TestingDriver.complete()) {
            var underWay = new CountDownLatch(1);
            var mayGoOn = new CountDownLatch(1);
            driver.backend.onCall = name -> {
                underWay.countDown();
                await(mayGoOn);
                assertThat(driver.backend.closed).isFalse();
            };
            var answer = create(driver, "slow");
            await(underWay);
            var stopping = Thread.ofPlatform().start(driver.driver::stop);
            Eventually.isTrue("the socket is gone", () -> !Files.exists(driver.endpoint.socket()));
            assertThat(answer.isDone()).isFalse();

            mayGoOn.countDown();
            assertThat(answer.get(10, TimeUnit.SECONDS).getVolume().getVolumeId())
                    .isEqualTo("vol-slow");
            stopping.join();
            assertThat(driver.backend.closed).isTrue();
        }
    }

    @Test
    void aStoppingDriverTakesNoNewCalls() throws Exception {
        try (var driver = TestingDriver.complete()) {
            var underWay = new CountDownLatch(1);
            var mayGoOn = new CountDownLatch(1);
            driver.backend.onCall = name -> {
                underWay.countDown();
                await(mayGoOn);
            };
            var answer = create(driver, "slow");
            await(underWay);
            var stopping = Thread.ofPlatform().start(driver.driver::stop);
            Eventually.isTrue("the socket is gone", () -> !Files.exists(driver.endpoint.socket()));
            Eventually.isTrue("new calls are refused", () -> refused(driver));
            mayGoOn.countDown();
            assertThat(answer.get(10, TimeUnit.SECONDS).hasVolume()).isTrue();
            stopping.join();
        }
    }

    private static boolean refused(TestingDriver driver) {
        try {
            var _ = driver.identity().withDeadlineAfter(1, TimeUnit.SECONDS).probe(ProbeRequest.getDefaultInstance());
            return false;
        } catch (io.grpc.StatusRuntimeException refusal) {
            return refusal.getStatus().getCode() == Status.Code.UNAVAILABLE;
        }
    }

    @Test
    void stoppingDoesNotWaitLongerThanItsGrace() throws Exception {
        try (var driver = TestingDriver.of(
                TestingBackend.complete(), settings -> settings.withStopGrace(Duration.ofMillis(200)))) {
            var underWay = new CountDownLatch(1);
            var never = new CountDownLatch(1);
            driver.backend.onCall = name -> {
                underWay.countDown();
                await(never);
            };
            var answer = create(driver, "hanging");
            await(underWay);
            long start = System.nanoTime();
            driver.driver.stop();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
            assertThat(driver.backend.closed).isTrue();
            never.countDown();
            assertThatThrownBy(() -> answer.get(5, TimeUnit.SECONDS)).hasMessageContaining("CANCELLED");
        }
    }

    @Test
    void probeIsAnsweredWhileAHundredCallsHang() throws Exception {
        try (var driver = TestingDriver.complete()) {
            var hanging = new AtomicInteger();
            var never = new CountDownLatch(1);
            driver.backend.onCall = name -> {
                hanging.incrementAndGet();
                await(never);
            };
            var answers = new ArrayList<ListenableFuture<NodeGetVolumeStatsResponse>>();
            for (int i = 0; i < 100; i++) {
                answers.add(driver.nodeAsync()
                        .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                                .setVolumeId("v" + i)
                                .setVolumePath("/somewhere")
                                .build()));
            }
            Eventually.isTrue("a hundred calls hang", () -> hanging.get() == 100);

            for (int i = 0; i < 20; i++) {
                assertThat(driver.identity()
                                .withDeadlineAfter(2, TimeUnit.SECONDS)
                                .probe(ProbeRequest.getDefaultInstance())
                                .getReady()
                                .getValue())
                        .isTrue();
            }
            never.countDown();
            for (var answer : answers) {
                assertThat(answer.get(10, TimeUnit.SECONDS).getUsageCount()).isEqualTo(2);
            }
        }
    }

    private static ListenableFuture<CreateVolumeResponse> create(TestingDriver driver, String name) {
        return driver.controllerAsync()
                .createVolume(CreateVolumeRequest.newBuilder()
                        .setName(name)
                        .addVolumeCapabilities(Capabilities.mount())
                        .build());
    }

    private static CsiDriver start(Path path) {
        return CsiDriver.start(DriverSettings.of("x.y", "1", new Endpoint(path)), TestingBackend.complete());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
