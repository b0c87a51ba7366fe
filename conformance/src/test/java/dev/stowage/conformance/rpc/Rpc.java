package dev.stowage.conformance.rpc;

import com.google.protobuf.Message;
import csi.v1.ControllerGrpc;
import csi.v1.GroupControllerGrpc;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGrpc;
import csi.v1.SnapshotMetadataGrpc;
import dev.stowage.cli.client.CsiClient;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One call of the interface, taken from its descriptor, so that a test can be a table over all of them. */
public record Rpc(MethodDescriptor<Message, Message> method) {

    private static final int PATIENCE_SECONDS = 60;

    private static final List<Rpc> ALL = Stream.of(
                    IdentityGrpc.getServiceDescriptor(),
                    ControllerGrpc.getServiceDescriptor(),
                    GroupControllerGrpc.getServiceDescriptor(),
                    SnapshotMetadataGrpc.getServiceDescriptor(),
                    NodeGrpc.getServiceDescriptor())
            .flatMap(Rpc::of)
            .toList();

    public static List<Rpc> all() {
        return ALL;
    }

    public static Rpc named(String name) {
        return ALL.stream().filter(rpc -> rpc.name().equals(name)).findAny().orElseThrow();
    }

    /** The call that takes such a request; no two take the same. */
    public static Rpc taking(Message request) {
        return named(request.getDescriptorForType().getName().replaceFirst("Request$", ""));
    }

    @SuppressWarnings("unchecked") // Every message of this interface is a Message.
    private static Stream<Rpc> of(ServiceDescriptor service) {
        return service.getMethods().stream().map(method -> new Rpc((MethodDescriptor<Message, Message>) method));
    }

    public String name() {
        return Objects.requireNonNull(method.getBareMethodName());
    }

    public String service() {
        return Objects.requireNonNull(method.getServiceName()).replaceFirst("^csi\\.v1\\.", "");
    }

    /** A request in which nothing is set. */
    public Message emptyRequest() {
        var marshaller = (MethodDescriptor.PrototypeMarshaller<Message>) method.getRequestMarshaller();
        return Objects.requireNonNull(marshaller.getMessagePrototype());
    }

    public static Answer call(CsiClient csi, Message request) {
        return taking(request).send(csi, request);
    }

    public Answer send(CsiClient csi, Message request) {
        var options = CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS);
        var messages = new ArrayList<Message>();
        try {
            if (method.getType() == MethodDescriptor.MethodType.UNARY) {
                messages.add(ClientCalls.blockingUnaryCall(csi.channel().grpc(), method, options, request));
            } else {
                ClientCalls.blockingServerStreamingCall(csi.channel().grpc(), method, options, request)
                        .forEachRemaining(messages::add);
            }
            return new Answer(Status.Code.OK, "", messages);
        } catch (StatusRuntimeException failure) {
            var status = failure.getStatus();
            return new Answer(status.getCode(), Objects.requireNonNullElse(status.getDescription(), ""), messages);
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
