package dev.stowage.driver.call;

import dev.stowage.core.call.Patience;
import dev.stowage.core.lane.Lanes;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs operations for the services: reads the request, enters the lanes, does the work, and answers or says why not. */
public final class Calls {

    /** A receiver that takes nothing must not keep a snapshot from being deleted for good. */
    private static final Duration RECEIVER_PATIENCE = Duration.ofMinutes(2);

    private final Lanes lanes;

    public Calls(Lanes lanes) {
        this.lanes = lanes;
    }

    public <Q, W, R> R handle(Operation<Q, W, R> operation, Q request) {
        var wish = operation.parse(request);
        try (var _ = lanes.enter(name(operation), operation.lanes(wish))) {
            var deadline = Context.current().getDeadline();
            return deadline == null
                    ? operation.perform(wish)
                    : Patience.of(
                            Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS)),
                            () -> operation.perform(wish));
        }
    }

    /** Answers a call with what the operation returns. */
    public <Q, R> void answer(Operation<Q, ?, R> operation, Q request, StreamObserver<R> out) {
        toleratingCancellation(out);
        try {
            R response = handle(operation, request);
            out.onNext(response);
            out.onCompleted();
        } catch (Throwable failure) {
            fail(out, failure);
        }
    }

    /** Answers a call that only storage with a certain ability can serve. */
    public <Q, R> void answer(Optional<? extends Operation<Q, ?, R>> operation, Q request, StreamObserver<R> out) {
        if (operation.isEmpty()) {
            out.onError(Status.UNIMPLEMENTED
                    .withDescription("this driver's storage cannot do this; its capabilities say what it can")
                    .asRuntimeException());
            return;
        }
        answer(operation.get(), request, out);
    }

    public <Q, W, R> void stream(StreamingOperation<Q, W, R> operation, Q request, StreamObserver<R> out) {
        var paced = toleratingCancellation(out);
        try {
            var wish = operation.parse(request);
            try (var _ = lanes.enter(name(operation), operation.lanes(wish))) {
                operation.perform(wish, new PacedReceiver<>(paced, RECEIVER_PATIENCE));
            }
            out.onCompleted();
        } catch (PacedReceiver.Gone gone) {
            out.onError(Status.CANCELLED.withDescription(gone.getMessage()).asRuntimeException());
        } catch (Throwable failure) {
            fail(out, failure);
        }
    }

    /** A caller that went away does not undo what was done for it; without a handler gRPC would throw at the answer. */
    private static <R> ServerCallStreamObserver<R> toleratingCancellation(StreamObserver<R> out) {
        var observer = (ServerCallStreamObserver<R>) out;
        observer.setOnCancelHandler(() -> {});
        return observer;
    }

    private static void fail(StreamObserver<?> out, Throwable failure) {
        out.onError(GrpcCodes.status(failure).asRuntimeException());
    }

    private static String name(Object operation) {
        return CallContext.current()
                .map(CallContext::rpc)
                .orElseGet(() -> operation.getClass().getSimpleName());
    }
}
