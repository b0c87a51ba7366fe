package dev.stowage.kube;

import dev.stowage.core.error.StowageException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Requests to the API server, with failures that a caller can act on. */
public final class Api {

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNPROCESSABLE = 422;

    private Api() {}

    /** @param what is being done, to which object */
    public static <T> T call(String what, Supplier<T> request) {
        try {
            return request.get();
        } catch (KubernetesClientException failed) {
            throw explained(what, failed);
        }
    }

    /** A change that may come too late; empty when somebody else was faster, or the object is gone. */
    public static <T> Optional<T> attempt(String what, Supplier<@Nullable T> request) {
        try {
            return Optional.ofNullable(request.get());
        } catch (KubernetesClientException failed) {
            if (failed.getCode() == HttpURLConnection.HTTP_CONFLICT
                    || failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return Optional.empty();
            }
            throw explained(what, failed);
        }
    }

    /** What a failed request means to whoever asked for it. */
    public static StowageException explained(String what, KubernetesClientException failed) {
        int code = failed.getCode();
        if (code <= 0 || code >= HttpURLConnection.HTTP_INTERNAL_ERROR || code == TOO_MANY_REQUESTS) {
            return StowageException.unavailable(
                    failed,
                    "%s: the Kubernetes API server does not answer (%s); repeat the call",
                    what,
                    reason(failed));
        }
        if (code == HttpURLConnection.HTTP_FORBIDDEN || code == HttpURLConnection.HTTP_UNAUTHORIZED) {
            return StowageException.internal(
                    failed,
                    "%s: the Kubernetes API server does not allow it (%s); give the driver's service account the rights that the chart"
                            + " lists",
                    what,
                    reason(failed));
        }
        if (code == UNPROCESSABLE || code == HttpURLConnection.HTTP_BAD_REQUEST) {
            return StowageException.internal(
                    failed, "%s: the Kubernetes API server does not take it (%s)", what, reason(failed));
        }
        return StowageException.internal(
                failed,
                "%s: the Kubernetes API server refused (%s); are the resource definitions those of this version?",
                what,
                reason(failed));
    }

    /** What the API server said, where it said something; otherwise what went wrong on the way to it. */
    public static String reason(KubernetesClientException failed) {
        if (failed.getStatus() != null && failed.getStatus().getMessage() != null) {
            return failed.getStatus().getMessage();
        }
        Throwable innermost = failed;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        String message = innermost.getMessage();
        return message == null ? innermost.getClass().getSimpleName() : message;
    }
}
