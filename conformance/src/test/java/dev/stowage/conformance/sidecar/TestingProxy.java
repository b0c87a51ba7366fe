package dev.stowage.conformance.sidecar;

import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerGetCapabilitiesResponse;
import csi.v1.ControllerGrpc;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerPublishVolumeResponse;
import csi.v1.ControllerServiceCapability.RPC.Type;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeResponse;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginCapabilitiesResponse;
import csi.v1.GetPluginInfoRequest;
import csi.v1.GetPluginInfoResponse;
import csi.v1.IdentityGrpc;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import csi.v1.ProbeRequest;
import csi.v1.ProbeResponse;
import dev.stowage.driver.transport.CsiChannel;
import dev.stowage.driver.transport.CsiServer;
import dev.stowage.driver.transport.Endpoint;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Stands between an attacher and a real driver, sees what is asked for, and injects faults. */
final class TestingProxy implements AutoCloseable {

    /** What is done besides handing a call on; it may wait, or throw what the caller gets instead. */
    volatile Consumer<ControllerPublishVolumeRequest> beforeAttach = request -> {};

    volatile Consumer<ControllerPublishVolumeRequest> afterAttach = request -> {};
    volatile Consumer<ControllerUnpublishVolumeRequest> beforeDetach = request -> {};

    final Set<Type> hidden = EnumSet.noneOf(Type.class);
    final List<ControllerPublishVolumeRequest> attaches = new CopyOnWriteArrayList<>();
    final List<ControllerUnpublishVolumeRequest> detaches = new CopyOnWriteArrayList<>();
    final AtomicInteger mostAtOnce = new AtomicInteger();

    private final AtomicInteger atOnce = new AtomicInteger();
    private final CsiChannel upstream;
    private final CsiServer server;

    private TestingProxy(CsiChannel upstream, Path socket) {
        this.upstream = upstream;
        this.server = CsiServer.start(
                "proxy",
                Endpoint.parse(socket.toString()),
                List.of(new Identity(IdentityGrpc.newBlockingStub(upstream.grpc()))),
                List.of(new Controller(ControllerGrpc.newBlockingStub(upstream.grpc()))),
                List.of());
    }

    static TestingProxy between(Path socket, Path driver) {
        return new TestingProxy(CsiChannel.to(Endpoint.parse(driver.toString())), socket);
    }

    @Override
    public void close() {
        server.stop(Duration.ofSeconds(1));
        upstream.close();
    }

    private static <R> void answer(StreamObserver<R> out, Supplier<R> reply) {
        try {
            out.onNext(reply.get());
            out.onCompleted();
        } catch (StatusRuntimeException failed) {
            out.onError(failed);
        }
    }

    private static final class Identity extends IdentityGrpc.IdentityImplBase {
        private final IdentityGrpc.IdentityBlockingStub driver;

        Identity(IdentityGrpc.IdentityBlockingStub driver) {
            this.driver = driver;
        }

        @Override
        public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> out) {
            answer(out, () -> driver.getPluginInfo(request));
        }

        @Override
        public void getPluginCapabilities(
                GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> out) {
            answer(out, () -> driver.getPluginCapabilities(request));
        }

        @Override
        public void probe(ProbeRequest request, StreamObserver<ProbeResponse> out) {
            answer(out, () -> driver.probe(request));
        }
    }

    private final class Controller extends ControllerGrpc.ControllerImplBase {
        private final ControllerGrpc.ControllerBlockingStub driver;

        Controller(ControllerGrpc.ControllerBlockingStub driver) {
            this.driver = driver;
        }

        @Override
        public void controllerGetCapabilities(
                ControllerGetCapabilitiesRequest request, StreamObserver<ControllerGetCapabilitiesResponse> out) {
            answer(out, () -> {
                var reply = ControllerGetCapabilitiesResponse.newBuilder();
                driver.controllerGetCapabilities(request).getCapabilitiesList().stream()
                        .filter(capability ->
                                !hidden.contains(capability.getRpc().getType()))
                        .forEach(reply::addCapabilities);
                return reply.build();
            });
        }

        @Override
        public void controllerPublishVolume(
                ControllerPublishVolumeRequest request, StreamObserver<ControllerPublishVolumeResponse> out) {
            attaches.add(request);
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            try {
                answer(out, () -> {
                    beforeAttach.accept(request);
                    var reply = driver.controllerPublishVolume(request);
                    afterAttach.accept(request);
                    return reply;
                });
            } finally {
                atOnce.decrementAndGet();
            }
        }

        @Override
        public void controllerUnpublishVolume(
                ControllerUnpublishVolumeRequest request, StreamObserver<ControllerUnpublishVolumeResponse> out) {
            detaches.add(request);
            answer(out, () -> {
                beforeDetach.accept(request);
                return driver.controllerUnpublishVolume(request);
            });
        }

        @Override
        public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> out) {
            answer(out, () -> driver.listVolumes(request));
        }
    }
}
