package dev.stowage.conformance.cluster;

import dev.stowage.kube.local.LocalPool;
import dev.stowage.kube.local.LocalResources;
import dev.stowage.kube.local.LocalSnapshot;
import dev.stowage.kube.local.LocalVolume;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Whose the resources of the local backend are, as they are on the API server. */
record Labels(KubernetesClient client) {

    /** The driver whose name a resource carries. */
    static Optional<String> driver(HasMetadata resource) {
        return Optional.ofNullable(resource.getMetadata().getLabels())
                .map(labels -> labels.get(LocalResources.DRIVER_LABEL));
    }

    List<LocalVolume> volumes(String request) {
        return those(LocalVolume.class, volume -> volume.getSpec().name().equals(request));
    }

    List<LocalSnapshot> snapshots(String request) {
        return those(LocalSnapshot.class, snapshot -> snapshot.getSpec().name().equals(request));
    }

    List<LocalPool> pools(String node) {
        return those(LocalPool.class, pool -> pool.getSpec().node().equals(node));
    }

    /** The resource of a driver among those of several. */
    static <R extends HasMetadata> R of(NamedDriver driver, List<R> resources) {
        return resources.stream()
                .filter(resource ->
                        driver(resource).filter(driver.name()::equals).isPresent())
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing of " + driver.name() + " in " + resources));
    }

    private <R extends HasMetadata> List<R> those(Class<R> type, Predicate<R> wanted) {
        return client.resources(type).list().getItems().stream().filter(wanted).toList();
    }

    /** Makes a resource as versions made it that knew one driver. */
    void strip(HasMetadata resource) {
        patch(resource, "{\"metadata\": {\"labels\": {\"%s\": null}}}".formatted(LocalResources.DRIVER_LABEL));
    }

    /** Changes a resource, however it is now. */
    void patch(HasMetadata resource, String change) {
        client.resource(resource).patch(PatchContext.of(PatchType.JSON_MERGE), change);
    }
}
