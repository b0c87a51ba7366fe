package dev.stowage.cli.client;

import csi.v1.ControllerGrpc;
import csi.v1.GroupControllerGrpc;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGrpc;
import csi.v1.ProbeRequest;
import csi.v1.SnapshotMetadataGrpc;
import csi.v1.VolumeCapability;
import dev.stowage.driver.transport.CsiChannel;
import dev.stowage.driver.transport.Endpoint;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One connection to a driver's socket, with a blocking stub for each service. */
public record CsiClient(
        CsiChannel channel,
        IdentityGrpc.IdentityBlockingStub identity,
        ControllerGrpc.ControllerBlockingStub controller,
        GroupControllerGrpc.GroupControllerBlockingStub groups,
        SnapshotMetadataGrpc.SnapshotMetadataBlockingStub metadata,
        NodeGrpc.NodeBlockingStub node)
        implements AutoCloseable {

    public static CsiClient connect(Path socket) {
        var channel = CsiChannel.to(Endpoint.parse(socket.toString()));
        var grpc = channel.grpc();
        return new CsiClient(
                channel,
                IdentityGrpc.newBlockingStub(grpc),
                ControllerGrpc.newBlockingStub(grpc),
                GroupControllerGrpc.newBlockingStub(grpc),
                SnapshotMetadataGrpc.newBlockingStub(grpc),
                NodeGrpc.newBlockingStub(grpc));
    }

    /**
     * Waits until the driver answers.
     *
     * @param alive whether it is worth waiting any longer
     * @return whether it answered in time
     */
    public boolean awaitReady(Duration patience, BooleanSupplier alive) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < deadline && alive.getAsBoolean()) {
            try {
                var ready = identity.withDeadlineAfter(2, TimeUnit.SECONDS).probe(ProbeRequest.getDefaultInstance());
                if (!ready.hasReady() || ready.getReady().getValue()) {
                    return true;
                }
            } catch (StatusRuntimeException notYet) {
                channel.grpc().resetConnectBackoff();
            }
            Thread.sleep(5);
        }
        return false;
    }

    public static VolumeCapability mounted(String filesystem, String... flags) {
        return VolumeCapability.newBuilder()
                .setMount(VolumeCapability.MountVolume.newBuilder()
                        .setFsType(filesystem)
                        .addAllMountFlags(List.of(flags)))
                .setAccessMode(mode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
                .build();
    }

    public static VolumeCapability block() {
        return VolumeCapability.newBuilder()
                .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                .setAccessMode(mode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
                .build();
    }

    public static VolumeCapability.AccessMode mode(VolumeCapability.AccessMode.Mode mode) {
        return VolumeCapability.AccessMode.newBuilder().setMode(mode).build();
    }

    @Override
    public void close() {
        channel.close();
    }
}
