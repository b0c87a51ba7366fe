package dev.stowage.driver;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerGrpc;
import csi.v1.DeleteVolumeRequest;
import csi.v1.IdentityGrpc;
import csi.v1.ProbeRequest;
import dev.stowage.driver.testing.Eventually;
import dev.stowage.driver.testing.TestingDriver;
import dev.stowage.driver.testing.TestingProcess;
import dev.stowage.driver.transport.CsiChannel;
import dev.stowage.driver.transport.Endpoint;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pluginregistration.v1.RegistrationGrpc;
import pluginregistration.v1.RegistrationStatus;

/** A driver in a process of its own, ended as a node ends it. */
class DriverProcessTest {

    private static final String SLOWNESS_IN_MILLISECONDS = "1500";

    @TempDir
    Path directory;

    private Process process;
    private CsiChannel channel;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TestingProcess.class.getName(),
                        directory.toString(),
                        SLOWNESS_IN_MILLISECONDS)
                .redirectError(directory.resolve("log").toFile())
                .start();
        channel = CsiChannel.to(new Endpoint(directory.resolve("csi.sock")));
        Eventually.isTrue("the driver answers", this::answers);
    }

    @AfterEach
    void stop() {
        channel.close();
        process.destroyForcibly();
    }

    @Test
    void aTerminatedDriverFinishesItsCallRemovesItsSocketsAndEndsWell() throws Exception {
        var answer = ControllerGrpc.newFutureStub(channel.grpc())
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId("v").build());
        // The call takes a second and a half; it is under way when the signal comes.
        Thread.sleep(300);
        process.destroy();

        assertThat(answer.get(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(directory.resolve("csi.sock")).doesNotExist();
        assertThat(registrationSocket()).doesNotExist();
        assertThat(Files.readAllLines(directory.resolve("log")))
                .anyMatch(line -> line.contains("rpc=DeleteVolume") && line.contains("code=OK"))
                .last()
                .asString()
                .contains("msg=\"stopped\"");
    }

    @Test
    void aRefusalOfTheKubeletEndsTheProcessWithACodeOfItsOwn() throws Exception {
        Eventually.isTrue("the registration socket is there", () -> Files.exists(registrationSocket()));
        try (var kubelet = CsiChannel.to(new Endpoint(registrationSocket()))) {
            var _ = RegistrationGrpc.newBlockingStub(kubelet.grpc())
                    .notifyRegistrationStatus(RegistrationStatus.newBuilder()
                            .setError("version not supported")
                            .build());
        }
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(TestingProcess.REFUSED);
        assertThat(directory.resolve("log")).content().contains("level=error", "version not supported");
    }

    private Path registrationSocket() {
        return directory.resolve(TestingDriver.NAME + "-reg.sock");
    }

    private boolean answers() {
        try {
            return IdentityGrpc.newBlockingStub(channel.grpc())
                    .withWaitForReady()
                    .withDeadlineAfter(10, TimeUnit.SECONDS)
                    .probe(ProbeRequest.getDefaultInstance())
                    .getReady()
                    .getValue();
        } catch (StatusRuntimeException notYet) {
            return false;
        }
    }
}
