package dev.stowage.kube;

import dev.stowage.core.error.StowageException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Clients of the API server. They keep to no rate of their own: the API server knows better what it can take, and says so.
 */
public final class KubernetesClients {

    private static final Path NAMESPACE = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");
    private static final int FIRST_PAUSE_MILLIS = 100;

    private KubernetesClients() {}

    /**
     * A client for those who come from outside by a kubeconfig, or from a pod by its service account.
     *
     * @param kubeconfig a file, or nothing for a pod
     * @param timeout how long one request may take
     * @param retries how often a request that failed is repeated, if that can help
     */
    public static KubernetesClient connect(Optional<Path> kubeconfig, String userAgent, Duration timeout, int retries) {
        return connect(kubeconfig, userAgent, timeout, retries, new ApiRequests());
    }

    /**
     * The same.
     *
     * @param requests counts what this client asks for
     */
    public static KubernetesClient connect(
            Optional<Path> kubeconfig, String userAgent, Duration timeout, int retries, ApiRequests requests) {
        var config = new ConfigBuilder(kubeconfig.map(KubernetesClients::read).orElseGet(KubernetesClients::ofThisPod))
                .withUserAgent(userAgent)
                .withRequestTimeout((int) timeout.toMillis())
                .withConnectionTimeout((int) timeout.toMillis())
                .withRequestRetryBackoffLimit(retries)
                .withRequestRetryBackoffInterval(FIRST_PAUSE_MILLIS)
                .build();
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(new JdkHttpClientFactory())
                .withHttpClientBuilderConsumer(
                        builder -> builder.addOrReplaceInterceptor("requests", requests.interceptor()))
                .build();
    }

    private static Config read(Path kubeconfig) {
        File file = kubeconfig.toFile();
        if (!file.canRead()) {
            throw StowageException.notPossible(
                    "kubeconfig %s: it is not there or cannot be read; name another file", kubeconfig);
        }
        try {
            var config = Config.fromKubeconfig(file);
            ClientKey.tellKind(config);
            return config;
        } catch (RuntimeException | IOException malformed) {
            throw StowageException.notPossible(
                    "kubeconfig %s: it cannot be used: %s", kubeconfig, malformed.getMessage());
        }
    }

    /** Read again by the client when its token has been renewed. */
    private static Config ofThisPod() {
        if (System.getenv("KUBERNETES_SERVICE_HOST") == null) {
            throw StowageException.notPossible(
                    "this process does not run in a pod, as KUBERNETES_SERVICE_HOST is not set; name a kubeconfig");
        }
        return Config.autoConfigure(null);
    }

    /** The namespace of this pod, or {@code default} where there is none. */
    public static String namespace() {
        String told = System.getenv("POD_NAMESPACE");
        if (told != null && !told.isBlank()) {
            return told;
        }
        try {
            return Files.exists(NAMESPACE) ? Files.readString(NAMESPACE).strip() : "default";
        } catch (IOException unreadable) {
            throw StowageException.notPossible("cannot read this pod's namespace from %s: %s", NAMESPACE, unreadable);
        }
    }
}
