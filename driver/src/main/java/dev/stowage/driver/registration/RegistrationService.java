package dev.stowage.driver.registration;

import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;
import pluginregistration.v1.InfoRequest;
import pluginregistration.v1.PluginInfo;
import pluginregistration.v1.RegistrationGrpc;
import pluginregistration.v1.RegistrationStatus;
import pluginregistration.v1.RegistrationStatusResponse;

/** What the kubelet asks a plugin that it found. */
final class RegistrationService extends RegistrationGrpc.RegistrationImplBase {

    /** The kubelet wants the version of the CSI's first stable protocol, not that of the specification. */
    private static final String VERSION = "1.0.0";

    private final PluginInfo info;
    private final Consumer<RegistrationState> told;

    RegistrationService(String driverName, String csiSocket, Consumer<RegistrationState> told) {
        this.info = PluginInfo.newBuilder()
                .setType("CSIPlugin")
                .setName(driverName)
                .setEndpoint(csiSocket)
                .addSupportedVersions(VERSION)
                .build();
        this.told = told;
    }

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> out) {
        out.onNext(info);
        out.onCompleted();
    }

    @Override
    public void notifyRegistrationStatus(RegistrationStatus status, StreamObserver<RegistrationStatusResponse> out) {
        out.onNext(RegistrationStatusResponse.getDefaultInstance());
        out.onCompleted();
        told.accept(
                status.getPluginRegistered()
                        ? new RegistrationState.Registered()
                        : new RegistrationState.Refused(status.getError()));
    }
}
