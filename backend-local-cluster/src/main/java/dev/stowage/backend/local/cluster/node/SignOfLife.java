package dev.stowage.backend.local.cluster.node;

import dev.stowage.backend.local.cluster.ClusterSettings;
import dev.stowage.backend.local.cluster.order.Ownership;
import dev.stowage.backend.local.cluster.order.ResourceNames;
import dev.stowage.kube.local.LocalResources;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** A Lease that this node renews as long as it can fulfil orders. */
final class SignOfLife {

    private final KubernetesClient client;
    private final ClusterSettings settings;
    private final String node;

    SignOfLife(KubernetesClient client, ClusterSettings settings, String node) {
        this.client = client;
        this.settings = settings;
        this.node = node;
    }

    /** @param owners the Lease goes with the node's own object */
    void give(List<OwnerReference> owners) {
        String name = new ResourceNames(new Ownership(settings.driverName())).lease(node);
        Resource<Lease> lease =
                client.leases().inNamespace(settings.namespace()).withName(name);
        var known = lease.get();
        var now = ZonedDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
        var renewed = (known == null ? new LeaseBuilder() : new LeaseBuilder(known))
                .editOrNewMetadata()
                .withName(name)
                .withNamespace(settings.namespace())
                .addToLabels(LocalResources.DRIVER_LABEL, settings.driverName())
                .withOwnerReferences(owners)
                .endMetadata()
                .editOrNewSpec()
                .withHolderIdentity(node)
                .withLeaseDurationSeconds((int) settings.silenceLimit().toSeconds())
                .withRenewTime(now)
                .endSpec()
                .build();
        var target = client.leases().inNamespace(settings.namespace()).resource(renewed);
        var _ = known == null ? target.create() : target.update();
    }
}
