package dev.stowage.driver.identity;

import com.google.protobuf.BoolValue;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginCapabilitiesResponse;
import csi.v1.GetPluginInfoRequest;
import csi.v1.GetPluginInfoResponse;
import csi.v1.IdentityGrpc;
import csi.v1.ProbeRequest;
import csi.v1.ProbeResponse;
import dev.stowage.core.backend.Backend;
import io.grpc.stub.StreamObserver;

/** Answers from memory only: whether this process lives has nothing to do with the state of its storage. */
public final class IdentityService extends IdentityGrpc.IdentityImplBase {

    private final Backend backend;
    private final GetPluginInfoResponse info;
    private final GetPluginCapabilitiesResponse capabilities;

    public IdentityService(String driverName, String vendorVersion, Backend backend) {
        this.backend = backend;
        this.info = GetPluginInfoResponse.newBuilder()
                .setName(driverName)
                .setVendorVersion(vendorVersion)
                .build();
        this.capabilities = PluginCapabilities.of(backend);
    }

    @Override
    public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> out) {
        answer(info, out);
    }

    @Override
    public void getPluginCapabilities(
            GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> out) {
        answer(capabilities, out);
    }

    /** Sidecars ask before they begin. Those of a process that waits for its turn wait with it, so that calls reach the one that serves. */
    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> out) {
        boolean ready = backend.standingBy().isEmpty();
        answer(ProbeResponse.newBuilder().setReady(BoolValue.of(ready)).build(), out);
    }

    private static <R> void answer(R response, StreamObserver<R> out) {
        out.onNext(response);
        out.onCompleted();
    }
}
