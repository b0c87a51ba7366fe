package dev.stowage.manager.apply;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything that was made for somebody, of whichever kind, by its labels. */
public final class Children implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Children.class);
    public static final String BY_OWNER = "owner";

    private final KubernetesClient client;
    private final Ownership ownership;
    private final Map<String, Cache<? extends HasMetadata>> caches = new LinkedHashMap<>();
    private final List<Supplier<List<? extends HasMetadata>>> lists = new ArrayList<>();

    /** @param changed is told the owner whose child has changed */
    public Children(KubernetesClient client, Ownership ownership, Duration again, Consumer<String> changed) {
        this.client = client;
        this.ownership = ownership;
        String ours = ownership.label();
        watch("ServiceAccount", client.serviceAccounts().inAnyNamespace().withLabel(ours), again, changed);
        watch("ClusterRole", client.rbac().clusterRoles().withLabel(ours), again, changed);
        watch("ClusterRoleBinding", client.rbac().clusterRoleBindings().withLabel(ours), again, changed);
        watch("Role", client.rbac().roles().inAnyNamespace().withLabel(ours), again, changed);
        watch("RoleBinding", client.rbac().roleBindings().inAnyNamespace().withLabel(ours), again, changed);
        watch("CSIDriver", client.storage().v1().csiDrivers().withLabel(ours), again, changed);
        watch("StorageClass", client.storage().v1().storageClasses().withLabel(ours), again, changed);
        watch("DaemonSet", client.apps().daemonSets().inAnyNamespace().withLabel(ours), again, changed);
        watch("Deployment", client.apps().deployments().inAnyNamespace().withLabel(ours), again, changed);
    }

    private <T extends HasMetadata, L extends KubernetesResourceList<T>> void watch(
            String kind, FilterWatchListDeletable<T, L, ?> objects, Duration again, Consumer<String> changed) {
        lists.add(() -> objects.list().getItems());
        caches.put(
                kind,
                Cache.start(
                        objects,
                        Map.of(
                                BY_OWNER,
                                object -> ownership.owner(object).stream().toList()),
                        again,
                        new Changes<T>(ownership, changed),
                        LOG::debug));
    }

    /** The pods of an owner. */
    public static Cache<Pod> pods(
            KubernetesClient client, Ownership ownership, Duration again, Consumer<String> changed) {
        return Cache.start(
                client.pods().inAnyNamespace().withLabel(ownership.label()),
                Map.of(BY_OWNER, pod -> ownership.owner(pod).stream().toList()),
                again,
                new Changes<Pod>(ownership, changed),
                LOG::debug);
    }

    /** Tells whose child has changed. */
    public record Changes<T extends HasMetadata>(Ownership ownership, Consumer<String> changed)
            implements Cache.Changes<T> {
        @Override
        public void seen(@Nullable T before, T now) {
            ownership.owner(now).ifPresent(changed);
        }

        @Override
        public void gone(T last) {
            ownership.owner(last).ifPresent(changed);
        }
    }

    /** For whom an object was made. */
    public Optional<String> owner(HasMetadata object) {
        return ownership.owner(object);
    }

    /** Everybody who has something. */
    public Set<String> owners() {
        return caches.values().stream()
                .flatMap(cache -> cache.all().stream())
                .flatMap(object -> ownership.owner(object).stream())
                .collect(Collectors.toSet());
    }

    Ownership ownership() {
        return ownership;
    }

    public boolean known() {
        return caches.values().stream().allMatch(Cache::filled);
    }

    /** The object of the same kind, namespace and name. */
    public Optional<HasMetadata> find(HasMetadata wanted) {
        var cache = caches.get(wanted.getKind());
        if (cache == null) {
            throw new IllegalArgumentException("nobody watches objects of the kind " + wanted.getKind());
        }
        String namespace = wanted.getMetadata().getNamespace();
        String name = wanted.getMetadata().getName();
        return cache.find(namespace == null ? name : namespace + "/" + name).map(HasMetadata.class::cast);
    }

    /**
     * Removes what was made for an owner and is not wanted any more.
     *
     * @return what could not be removed, and why
     */
    public List<String> removeOthers(List<HasMetadata> wanted, String owner) {
        Set<String> kept = wanted.stream().map(Adoption::named).collect(Collectors.toSet());
        var errors = new ArrayList<String>();
        for (var object : of(owner)) {
            if (!kept.contains(Adoption.named(object)) && object.getMetadata().getDeletionTimestamp() == null) {
                try {
                    Api.call(
                            Adoption.named(object),
                            () -> client.resource(object).delete());
                } catch (StowageException failed) {
                    errors.add(failed.getMessage());
                }
            }
        }
        return errors;
    }

    /** What an owner has, as the API server knows it. What is known here may be old. */
    public List<HasMetadata> left(String owner) {
        var all = new ArrayList<HasMetadata>();
        for (var list : lists) {
            for (var object : Api.call("what was made for " + owner, list::get)) {
                if (ownership.owner(object).filter(owner::equals).isPresent()) {
                    all.add(object);
                }
            }
        }
        return all;
    }

    /** All that an owner has. */
    public List<HasMetadata> of(String owner) {
        var all = new ArrayList<HasMetadata>();
        caches.values().forEach(cache -> all.addAll(cache.by(BY_OWNER, owner)));
        return all;
    }

    @Override
    public void close() {
        caches.values().forEach(Cache::close);
    }
}
