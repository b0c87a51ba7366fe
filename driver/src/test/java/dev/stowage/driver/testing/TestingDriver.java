package dev.stowage.driver.testing;

import csi.v1.ControllerGrpc;
import csi.v1.GroupControllerGrpc;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGrpc;
import csi.v1.SnapshotMetadataGrpc;
import dev.stowage.driver.CsiDriver;
import dev.stowage.driver.DriverSettings;
import dev.stowage.driver.transport.CsiChannel;
import dev.stowage.driver.transport.Endpoint;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.function.UnaryOperator;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A real driver on a real socket, with a client connected to it. */
public final class TestingDriver implements AutoCloseable {

    public static final String NAME = "test.stowage.dev";

    public final TestingBackend backend;
    public final CsiDriver driver;
    public final Path directory;
    public final Endpoint endpoint;
    private final CsiChannel channel;

    private TestingDriver(TestingBackend backend, UnaryOperator<DriverSettings> change) {
        try {
            this.directory = Files.createTempDirectory("driver");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        this.backend = backend;
        this.endpoint = new Endpoint(directory.resolve("csi.sock"));
        var settings = DriverSettings.of(NAME, "1.2.3", endpoint)
                .withLanePatience(Duration.ofMillis(50))
                .withStopGrace(Duration.ofSeconds(5));
        this.driver = start(change.apply(settings));
        this.channel = CsiChannel.to(endpoint);
    }

    private CsiDriver start(DriverSettings settings) {
        try {
            return CsiDriver.start(settings, backend);
        } catch (RuntimeException failed) {
            removeDirectory();
            throw failed;
        }
    }

    public static TestingDriver complete() {
        return of(TestingBackend.complete());
    }

    public static TestingDriver of(TestingBackend backend) {
        return new TestingDriver(backend, settings -> settings);
    }

    public static TestingDriver of(TestingBackend backend, UnaryOperator<DriverSettings> change) {
        return new TestingDriver(backend, change);
    }

    public IdentityGrpc.IdentityBlockingStub identity() {
        return IdentityGrpc.newBlockingStub(channel.grpc());
    }

    public ControllerGrpc.ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel.grpc());
    }

    public ControllerGrpc.ControllerFutureStub controllerAsync() {
        return ControllerGrpc.newFutureStub(channel.grpc());
    }

    public GroupControllerGrpc.GroupControllerBlockingStub groups() {
        return GroupControllerGrpc.newBlockingStub(channel.grpc());
    }

    public SnapshotMetadataGrpc.SnapshotMetadataBlockingStub metadata() {
        return SnapshotMetadataGrpc.newBlockingStub(channel.grpc());
    }

    public SnapshotMetadataGrpc.SnapshotMetadataStub metadataAsync() {
        return SnapshotMetadataGrpc.newStub(channel.grpc());
    }

    public NodeGrpc.NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel.grpc());
    }

    public NodeGrpc.NodeFutureStub nodeAsync() {
        return NodeGrpc.newFutureStub(channel.grpc());
    }

    /** How the call fails. */
    public static Status failure(ThrowingCallable call) {
        var thrown = Assertions.catchThrowable(call);
        Assertions.assertThat(thrown).as("the call must fail").isInstanceOf(StatusRuntimeException.class);
        return ((StatusRuntimeException) thrown).getStatus();
    }

    public static Status.Code code(ThrowingCallable call) {
        return failure(call).getCode();
    }

    @Override
    public void close() {
        channel.close();
        driver.stop();
        removeDirectory();
    }

    private void removeDirectory() {
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
