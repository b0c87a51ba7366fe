package dev.stowage.conformance.citizen;

import dev.stowage.driver.transport.CsiChannel;
import dev.stowage.driver.transport.Endpoint;
import java.nio.file.Path;
import pluginregistration.v1.InfoRequest;
import pluginregistration.v1.PluginInfo;
import pluginregistration.v1.RegistrationGrpc;
import pluginregistration.v1.RegistrationStatus;

/** What a kubelet does when it finds a plugin's socket. */
public record FakeKubelet(CsiChannel channel) implements AutoCloseable {

    public static FakeKubelet connect(Path socket) {
        return new FakeKubelet(CsiChannel.to(Endpoint.parse(socket.toString())));
    }

    private RegistrationGrpc.RegistrationBlockingStub stub() {
        return RegistrationGrpc.newBlockingStub(channel.grpc());
    }

    public PluginInfo info() {
        return stub().getInfo(InfoRequest.getDefaultInstance());
    }

    public void tell(boolean registered, String error) {
        var _ = stub().notifyRegistrationStatus(RegistrationStatus.newBuilder()
                .setPluginRegistered(registered)
                .setError(error)
                .build());
    }

    @Override
    public void close() {
        channel.close();
    }
}
