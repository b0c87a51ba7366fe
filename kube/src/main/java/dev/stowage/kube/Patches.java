package dev.stowage.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Changes to objects without a namespace, told step by step (RFC 6902).
 *
 * <p>The client's own way to send such a change reads the object first. That would be a request more for each change, and a right
 * more to be granted.
 */
public final class Patches {

    private static final String TYPE = "application/json-patch+json";
    private static final int UNPROCESSABLE = 422;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final KubernetesClient client;

    public Patches(KubernetesClient client) {
        this.client = client;
    }

    /** The steps of one change. It is made as a whole or not at all. */
    public static final class Steps {

        private final List<Map<String, Object>> list = new ArrayList<>();

        /** A change of this very object, not of a later one of the same name. */
        public static Steps of(HasMetadata object) {
            return new Steps().test("/metadata/uid", object.getMetadata().getUid());
        }

        /** Nothing happens unless the value is this. */
        public Steps test(String path, Object value) {
            return step("test", path, Map.of("value", value));
        }

        public Steps add(String path, Object value) {
            return step("add", path, Map.of("value", value));
        }

        public Steps remove(String path) {
            return step("remove", path, Map.of());
        }

        private Steps step(String operation, String path, Map<String, Object> value) {
            var step = new LinkedHashMap<String, Object>(Map.of("op", operation, "path", path));
            step.putAll(value);
            list.add(step);
            return this;
        }
    }

    /**
     * Makes a change.
     *
     * @return the object after it
     * @throws KubernetesClientException with the API server's code, when it does not take the change
     */
    public <T extends HasMetadata> T apply(T object, Steps steps) {
        return send(object, "", steps);
    }

    /** Makes a change of the status. */
    public <T extends HasMetadata> T applyToStatus(T object, Steps steps) {
        return send(object, "/status", steps);
    }

    /**
     * Whether a change was not made because the object was not as the change expected it, so that it is worth another look. The API
     * server answers to a failed test as to an object that is not valid, but does not tell what would be wrong with it.
     */
    public static boolean tooLate(KubernetesClientException refused) {
        return refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                || (refused.getCode() == UNPROCESSABLE
                        && !String.valueOf(refused.getMessage()).contains("\"causes\""));
    }

    private <T extends HasMetadata> T send(T object, String part, Steps steps) {
        String version = object.getApiVersion();
        var address = client.getMasterUrl().toString().replaceAll("/$", "")
                + (version.contains("/") ? "/apis/" : "/api/")
                + version
                + "/"
                + object.getPlural()
                + "/"
                + URLEncoder.encode(object.getMetadata().getName(), StandardCharsets.UTF_8)
                + part;
        var request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(URI.create(address))
                .patch(TYPE, client.getKubernetesSerialization().asJson(steps.list))
                .timeout(client.getConfiguration().getRequestTimeout(), TimeUnit.MILLISECONDS)
                .build();
        var reply = await(client.getHttpClient().sendAsync(request, String.class), address);
        if (!reply.isSuccessful()) {
            throw refused(address, reply);
        }
        @SuppressWarnings("unchecked") // the API server answers with the kind that it was asked about
        var kind = (Class<T>) object.getClass();
        return client.getKubernetesSerialization().unmarshal(reply.body(), kind);
    }

    private static HttpResponse<String> await(CompletableFuture<HttpResponse<String>> reply, String address) {
        try {
            return reply.orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).join();
        } catch (CompletionException failed) {
            String reason = failed.getCause() instanceof TimeoutException
                    ? "no answer within " + PATIENCE.toSeconds() + " s"
                    : String.valueOf(failed.getCause());
            throw new KubernetesClientException("PATCH " + address + ": " + reason, failed);
        }
    }

    private static KubernetesClientException refused(String address, HttpResponse<String> reply) {
        var status = new StatusBuilder()
                .withCode(reply.code())
                .withMessage(reply.body())
                .build();
        return new KubernetesClientException(
                "PATCH " + address + ": " + reply.code() + " " + reply.body(), reply.code(), status);
    }
}
