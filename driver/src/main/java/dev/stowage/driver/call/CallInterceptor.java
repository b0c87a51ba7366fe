package dev.stowage.driver.call;

import dev.stowage.driver.log.LogFields;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Gives every call an id, counts and times it, and logs it once.
 *
 * <p>All services here do their work inside of {@code onHalfClose}, on the thread that delivers it, and have answered when it
 * returns. So a call begins and ends there.
 */
public final class CallInterceptor implements ServerInterceptor {

    private final Metrics metrics;
    private final CallListener listener;

    public CallInterceptor(Metrics metrics, CallListener listener) {
        this.metrics = metrics;
        this.listener = listener;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        var ending = new EndingCall<>(call);
        return new Tracked<>(rpc(call), next.startCall(ending, headers), ending);
    }

    private static String rpc(ServerCall<?, ?> call) {
        String name = call.getMethodDescriptor().getBareMethodName();
        return name == null ? "unknown" : name;
    }

    private final class Tracked<Q> extends SimpleForwardingServerCallListener<Q> {

        private final String rpc;
        private final EndingCall<Q, ?> ending;
        private @Nullable Q request;

        Tracked(String rpc, ServerCall.Listener<Q> delegate, EndingCall<Q, ?> ending) {
            super(delegate);
            this.rpc = rpc;
            this.ending = ending;
        }

        @Override
        public void onMessage(Q message) {
            request = message;
            super.onMessage(message);
        }

        @Override
        public void onHalfClose() {
            var message = request;
            if (message == null) {
                super.onHalfClose();
                return;
            }
            var context = CallContext.of(rpc, Subject.of(message));
            context.run(() -> LogFields.within(context.fields(), () -> serve(message)));
        }

        private void serve(Q message) {
            CallLog.request(message);
            long start = System.nanoTime();
            metrics.started(rpc);
            listener.started(rpc);
            try {
                super.onHalfClose();
            } finally {
                listener.finished(rpc);
                long nanos = System.nanoTime() - start;
                metrics.finished(rpc, ending.status.getCode(), nanos);
                CallLog.ended(rpc, ending.status, nanos);
            }
        }
    }

    /** Remembers how the call was answered. */
    private static final class EndingCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

        private volatile Status status = Status.UNKNOWN.withDescription("the call ended without an answer");

        EndingCall(ServerCall<Q, R> delegate) {
            super(delegate);
        }

        @Override
        public void close(Status answered, Metadata trailers) {
            status = answered;
            super.close(answered, trailers);
        }
    }
}
