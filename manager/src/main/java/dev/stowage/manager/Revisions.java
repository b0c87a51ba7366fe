package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Children;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The templates that a DaemonSet has had, as Kubernetes keeps them. */
final class Revisions implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Revisions.class);
    static final String HASH = "controller-revision-hash";

    private final KubernetesClient client;
    private final Cache<ControllerRevision> revisions;

    Revisions(KubernetesClient client, Duration again, Consumer<String> changed) {
        this.client = client;
        this.revisions = Cache.start(
                client.apps().controllerRevisions().inAnyNamespace().withLabel(CsiDriverDeployment.OWNER_NAME),
                Map.of(
                        Children.BY_OWNER,
                        revision -> DeploymentOwnership.LABELS.owner(revision).stream()
                                .toList()),
                again,
                new Children.Changes<ControllerRevision>(DeploymentOwnership.LABELS, changed),
                LOG::debug);
    }

    boolean known() {
        return revisions.filled();
    }

    /** The one that its pods are to have now. */
    Optional<ControllerRevision> current(DaemonSet set) {
        return of(set).stream().max(Comparator.comparing(ControllerRevision::getRevision));
    }

    /** Kubernetes keeps a template as the patch that would bring it back. */
    Optional<PodTemplateSpec> template(ControllerRevision revision) {
        var serialization = client.getKubernetesSerialization();
        Map<?, ?> patch = serialization.convertValue(revision.getData(), Map.class);
        if (patch.get("spec") instanceof Map<?, ?> spec && spec.get("template") instanceof Map<?, ?> template) {
            var plain = new HashMap<Object, Object>(template);
            plain.remove("$patch");
            return Optional.of(serialization.convertValue(plain, PodTemplateSpec.class));
        }
        return Optional.empty();
    }

    /** A revision has the labels of its template, so that one of an adopted driver may have none of ours, now or again. */
    private List<ControllerRevision> of(DaemonSet set) {
        var labels = set.getSpec().getTemplate().getMetadata().getLabels();
        boolean marked = labels != null && labels.containsKey(CsiDriverDeployment.OWNER_NAME);
        return (marked ? cached(set) : ask(set))
                .stream().filter(revision -> revision.hasOwnerReferenceFor(set)).toList();
    }

    private List<ControllerRevision> cached(DaemonSet set) {
        return DeploymentOwnership.LABELS.owner(set).stream()
                .flatMap(owner -> revisions.by(Children.BY_OWNER, owner).stream())
                .toList();
    }

    private List<ControllerRevision> ask(DaemonSet set) {
        return Api.call(
                Adoption.named(set),
                () -> client.apps()
                        .controllerRevisions()
                        .inNamespace(set.getMetadata().getNamespace())
                        .withLabelSelector(set.getSpec().getSelector())
                        .list()
                        .getItems());
    }

    @Override
    public void close() {
        revisions.close();
    }
}
