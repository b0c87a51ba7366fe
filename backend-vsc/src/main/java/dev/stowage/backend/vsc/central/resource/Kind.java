package dev.stowage.backend.vsc.central.resource;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import dev.stowage.kube.Patches;
import dev.stowage.kube.Patches.Steps;
import dev.stowage.kube.vsc.VscResources;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All resources of one kind.
 *
 * <p>What is decided is decided by {@link #find}, which asks the API server. The copy that is kept here may lag behind what was just
 * written; it serves to look things up and to hear of changes.
 */
public final class Kind<S, T, R extends CustomResource<S, T>> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Kind.class);
    private static final Duration AGAIN = Duration.ofMinutes(5);
    private static final Duration TELLING = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(2);

    private final KubernetesClient client;
    private final Patches patches;
    private final Class<R> type;
    private final String name;
    private final Cache<R> cache;

    /** @param changed is told the name of what has changed, and of everything now and then */
    public Kind(
            KubernetesClient client,
            Class<R> type,
            Map<String, Function<R, List<String>>> indexes,
            Consumer<String> changed) {
        this(client, type, indexes, new Telling<>(changed));
    }

    Kind(
            KubernetesClient client,
            Class<R> type,
            Map<String, Function<R, List<String>>> indexes,
            Cache.Changes<R> changes) {
        this.client = client;
        this.patches = new Patches(client);
        this.type = type;
        this.name = HasMetadata.getKind(type);
        this.cache = Cache.start(client.resources(type), indexes, AGAIN, changes, LOG::debug);
    }

    private record Telling<R extends CustomResource<?, ?>>(Consumer<String> changed) implements Cache.Changes<R> {
        @Override
        public void seen(@Nullable R before, R now) {
            changed.accept(now.getMetadata().getName());
        }

        @Override
        public void gone(R last) {
            changed.accept(last.getMetadata().getName());
        }
    }

    public boolean filled() {
        return cache.filled();
    }

    /** The resource as the API server has it now. */
    public Optional<R> find(String resource) {
        return Api.attempt(
                what(resource), () -> client.resources(type).withName(resource).get());
    }

    /** The resource as it was told last. */
    public Optional<R> told(String resource) {
        return cache.find(resource);
    }

    public List<R> all() {
        return cache.all();
    }

    public List<R> by(String index, String value) {
        return cache.by(index, value);
    }

    /** Those of {@link #by} that are still there: the copy may not have heard yet that one is gone. */
    public List<R> presentBy(String index, String value) {
        return by(index, value).stream()
                .map(told -> find(told.getMetadata().getName()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Makes the resource, or finds the one that has its name. */
    public R create(R resource) {
        String wanted = resource.getMetadata().getName();
        try {
            return client.resource(resource).create();
        } catch (KubernetesClientException failed) {
            if (failed.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                var present = find(wanted);
                if (present.isPresent()) {
                    return present.get();
                }
            }
            return Api.call(what(wanted), () -> {
                throw failed;
            });
        }
    }

    /** Makes the resource and waits until it is told, so that whoever looks things up from now on finds it. */
    public R createAndSee(R resource) {
        var made = create(resource);
        String wanted = made.getMetadata().getName();
        long end = System.nanoTime() + TELLING.toNanos();
        while (told(wanted).isEmpty()) {
            if (System.nanoTime() - end > 0) {
                throw StowageException.unavailable(
                        "%s was made, but the API server has not told of it; repeat the call", what(wanted));
            }
            try {
                Thread.sleep(LOOK);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw StowageException.unavailable("%s: interrupted", what(wanted));
            }
        }
        return made;
    }

    /** Writes what is known of a resource, unless somebody has changed it since. */
    public void statusIfUnchanged(R resource, T status) {
        try {
            var _ = patches.applyToStatus(
                    resource,
                    Steps.of(resource)
                            .test(
                                    "/metadata/resourceVersion",
                                    resource.getMetadata().getResourceVersion())
                            .add("/status", status));
        } catch (KubernetesClientException failed) {
            if (!Patches.tooLate(failed) && failed.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                LOG.warn("{}: its status could not be written: {}", what(resource), failed.getMessage());
            }
        }
    }

    /** Writes what is known of a resource. */
    public R status(R resource, T status) {
        return change(resource, steps -> steps.add("/status", status), true);
    }

    /** Sets one field of the spec. The others stay, also those that only its author knows. */
    public R set(R resource, String field, Object value) {
        return change(resource, steps -> steps.add("/spec/" + field, value), false);
    }

    /** Sets one field of the spec from one value to another; empty when it has a third by now. */
    public Optional<R> replace(R resource, String field, Object before, Object value) {
        try {
            return Optional.of(patches.apply(
                    resource, Steps.of(resource).test("/spec/" + field, before).add("/spec/" + field, value)));
        } catch (KubernetesClientException failed) {
            if (Patches.tooLate(failed) || failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return Optional.empty();
            }
            return Api.call(what(resource), () -> {
                throw failed;
            });
        }
    }

    /** A note beside the fields that are the same in every implementation; null takes it away. */
    public R annotate(R resource, String key, @Nullable String value) {
        var present = resource.getMetadata().getAnnotations();
        if (value == null) {
            return present == null || !present.containsKey(key)
                    ? resource
                    : change(resource, steps -> steps.remove("/metadata/annotations/" + escaped(key)), false);
        }
        return change(
                resource,
                steps -> present == null || present.isEmpty()
                        ? steps.add("/metadata/annotations", Map.of(key, value))
                        : steps.add("/metadata/annotations/" + escaped(key), value),
                false);
    }

    /** From now on the resource stays until its end was seen to. */
    public R protect(R resource) {
        var finalizers = resource.getMetadata().getFinalizers();
        if (finalizers.contains(VscResources.FINALIZER)) {
            return resource;
        }
        return change(
                resource,
                steps -> finalizers.isEmpty()
                        ? steps.add("/metadata/finalizers", List.of(VscResources.FINALIZER))
                        : steps.add("/metadata/finalizers/-", VscResources.FINALIZER),
                false);
    }

    /** Nothing is left of it outside of the API server. */
    public void release(R resource) {
        var finalizers = resource.getMetadata().getFinalizers();
        int index = finalizers.indexOf(VscResources.FINALIZER);
        if (index >= 0) {
            var _ = Api.attempt(
                    what(resource),
                    () -> patches.apply(
                            resource,
                            Steps.of(resource)
                                    .test("/metadata/finalizers/" + index, VscResources.FINALIZER)
                                    .remove("/metadata/finalizers/" + index)));
        }
    }

    /** Asks for the end of a resource, which comes when it is released. */
    public void delete(R resource) {
        var _ = Api.attempt(what(resource), () -> client.resource(resource).delete());
    }

    public static boolean ending(CustomResource<?, ?> resource) {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }

    /** The word that stands for a state in a resource, such as {@code ISCSILoginPending}. */
    public static String word(Enum<?> state) {
        try {
            var name = state.getDeclaringClass().getField(state.name()).getAnnotation(JsonProperty.class);
            return name == null ? state.name() : name.value();
        } catch (NoSuchFieldException everyConstantIsAField) {
            throw new IllegalStateException(everyConstantIsAField);
        }
    }

    public static Optional<String> annotation(CustomResource<?, ?> resource, String key) {
        var all = resource.getMetadata().getAnnotations();
        return Optional.ofNullable(all == null ? null : all.get(key)).filter(value -> !value.isEmpty());
    }

    private R change(R resource, Function<Steps, Steps> change, boolean ofStatus) {
        return Api.call(what(resource), () -> {
            var steps = change.apply(Steps.of(resource));
            return ofStatus ? patches.applyToStatus(resource, steps) : patches.apply(resource, steps);
        });
    }

    private static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }

    private String what(R resource) {
        return what(resource.getMetadata().getName());
    }

    private String what(String resource) {
        return name + " " + resource;
    }

    @Override
    public void close() {
        cache.close();
    }
}
