package dev.stowage.driver.call;

import dev.stowage.core.error.StowageException;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** The one table that turns failures into gRPC codes. */
public final class GrpcCodes {

    /** A status travels in a header, and receivers bound those. */
    private static final int LONGEST_MESSAGE = 2000;

    private GrpcCodes() {}

    public static Status.Code of(StowageException failure) {
        return switch (failure) {
            case StowageException.InvalidRequest ignored -> Status.Code.INVALID_ARGUMENT;
            case StowageException.NotFound ignored -> Status.Code.NOT_FOUND;
            case StowageException.AlreadyExists ignored -> Status.Code.ALREADY_EXISTS;
            case StowageException.Busy ignored -> Status.Code.ABORTED;
            case StowageException.NotPossible ignored -> Status.Code.FAILED_PRECONDITION;
            case StowageException.Exhausted ignored -> Status.Code.RESOURCE_EXHAUSTED;
            case StowageException.OutOfRange ignored -> Status.Code.OUT_OF_RANGE;
            case StowageException.Unavailable ignored -> Status.Code.UNAVAILABLE;
            case StowageException.Internal ignored -> Status.Code.INTERNAL;
        };
    }

    /** What the caller is told; the cause stays here, for the log. */
    static Status status(Throwable failure) {
        return switch (failure) {
            case StowageException known ->
                of(known)
                        .toStatus()
                        .withDescription(bounded(known.getMessage()))
                        .withCause(known);
            default ->
                Status.INTERNAL
                        .withDescription("the driver failed unexpectedly; its log has the reason under call="
                                + CallContext.current().map(CallContext::id).orElse("unknown"))
                        .withCause(failure);
        };
    }

    private static String bounded(@Nullable String message) {
        String text = message == null ? "" : message;
        return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE) + "…";
    }
}
