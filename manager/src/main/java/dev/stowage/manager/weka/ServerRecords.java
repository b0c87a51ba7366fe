package dev.stowage.manager.weka;

import dev.stowage.kube.Api;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.beside.Placement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The node servers of a container as they were made, on record where they outlive the pods and the manager: on the container. What is deleted or
 * evicted while nobody can tell how it is to be is made again of them.
 */
final class ServerRecords {

    private static final Logger LOG = LoggerFactory.getLogger(ServerRecords.class);

    private final KubernetesClient client;
    private final Placement placement;

    ServerRecords(KubernetesClient client, Placement placement) {
        this.client = client;
        this.placement = placement;
    }

    /** The drivers of which a container has a node server on record. */
    static Stream<String> drivers(WekaContainer container) {
        return notes(container).keySet().stream()
                .filter(key -> key.startsWith(WekaResources.SERVER))
                .map(key -> key.substring(WekaResources.SERVER.length()));
    }

    private static Map<String, String> notes(WekaContainer container) {
        return Objects.requireNonNullElse(container.getMetadata().getAnnotations(), Map.of());
    }

    /** The node server of a driver beside a container; nothing when there is none on record, or it cannot be read. */
    Optional<Pod> of(WekaContainer container, String driver) {
        String text = notes(container).get(WekaResources.SERVER + driver);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(client.getKubernetesSerialization().unmarshal(text, Pod.class))
                    .filter(pod -> isOf(container, driver, pod));
        } catch (IllegalArgumentException | YamlEngineException | KubernetesClientException nonsense) {
            LOG.warn(
                    "{}: the annotation {}{} cannot be read, and counts as none: {}",
                    Adoption.named(container),
                    WekaResources.SERVER,
                    driver,
                    String.valueOf(nonsense.getMessage()).lines().findFirst().orElse(""));
            return Optional.empty();
        }
    }

    /** Anybody may have written it who may write containers. */
    private static boolean isOf(WekaContainer container, String driver, Pod pod) {
        return pod.getMetadata() != null
                && pod.getMetadata().getName() != null
                && pod.getSpec() != null
                && WekaOwnership.LABELS.owner(pod).filter(driver::equals).isPresent()
                && World.containerOf(pod).filter(Key.named(container)::equals).isPresent()
                && Placement.node(pod).isPresent();
    }

    /** Before it is made. */
    void note(WekaContainer container, String driver, Pod pod) {
        if (of(container, driver).filter(noted -> isSame(noted, pod)).isEmpty()) {
            write(container, driver, client.getKubernetesSerialization().asJson(pod));
        }
    }

    /** The one on record, if that is not this one. */
    Optional<Pod> other(WekaContainer container, String driver, Pod pod) {
        return of(container, driver).filter(noted -> !isSame(noted, pod));
    }

    private boolean isSame(Pod noted, Pod pod) {
        return noted.getMetadata().getName().equals(pod.getMetadata().getName()) && placement.isCurrent(noted, pod);
    }

    /** After its end. */
    void forget(WekaContainer container, String driver) {
        write(container, driver, null);
    }

    private void write(WekaContainer container, String driver, @Nullable String text) {
        var notes = new LinkedHashMap<String, @Nullable String>();
        notes.put(WekaResources.SERVER + driver, text);
        var patch = client.getKubernetesSerialization().asJson(Map.of("metadata", Map.of("annotations", notes)));
        var _ = Api.attempt(
                Adoption.named(container),
                () -> client.resource(container).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }
}
