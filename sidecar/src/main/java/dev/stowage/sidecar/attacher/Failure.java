package dev.stowage.sidecar.attacher;

import dev.stowage.core.error.StowageException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * Why attaching or detaching failed, fit to be shown.
 *
 * @param code the gRPC code, when it was the driver that failed
 * @param isFinal whether nothing can be under way any more in the driver
 */
record Failure(String message, OptionalInt code, boolean isFinal) {

    /** The API server takes no longer message. */
    private static final int MOST_BYTES = 1024;

    static Failure of(String call, StatusRuntimeException failure, Credentials credentials) {
        var status = failure.getStatus();
        String told = status.getDescription() == null ? "" : ": " + status.getDescription();
        return new Failure(
                bounded(credentials.strippedFrom(call + " failed with " + status.getCode() + told)),
                OptionalInt.of(status.getCode().value()),
                isFinal(status.getCode()));
    }

    static Failure of(StowageException failure) {
        return new Failure(bounded(String.valueOf(failure.getMessage())), OptionalInt.empty(), true);
    }

    /** After these the driver may still be at it. */
    private static boolean isFinal(Status.Code code) {
        return switch (code) {
            case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, RESOURCE_EXHAUSTED, ABORTED -> false;
            case OK,
                    UNKNOWN,
                    INVALID_ARGUMENT,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    PERMISSION_DENIED,
                    FAILED_PRECONDITION,
                    OUT_OF_RANGE,
                    UNIMPLEMENTED,
                    INTERNAL,
                    DATA_LOSS,
                    UNAUTHENTICATED -> true;
        };
    }

    private static String bounded(String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES) {
            return text;
        }
        int end = Math.min(text.length(), MOST_BYTES);
        while (text.substring(0, end).getBytes(StandardCharsets.UTF_8).length > MOST_BYTES - 3) {
            end--;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
