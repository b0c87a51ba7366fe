package dev.stowage.backend.local.cluster.central;

import dev.stowage.kube.Api;
import dev.stowage.kube.Digest;
import dev.stowage.kube.local.HealthCondition;
import dev.stowage.kube.local.LocalVolume;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/** Events on the claim that a volume is bound to, where its user looks. */
final class ClaimEvents {

    private static final int LONGEST_MESSAGE = 1000;
    private static final int LONGEST_NAME = 200;

    private final KubernetesClient client;
    private final String driverName;

    ClaimEvents(KubernetesClient client, String driverName) {
        this.client = client;
        this.driverName = driverName;
    }

    void tell(LocalVolume volume, Optional<HealthCondition> before, HealthCondition now) {
        claim(volume).ifPresent(claim -> create(volume, claim, before, now));
    }

    private void create(
            LocalVolume volume, ObjectReference claim, Optional<HealthCondition> before, HealthCondition now) {
        boolean healthy = now.status().equals("True");
        String message = healthy
                ? "volume %s is healthy again"
                        .formatted(volume.getStatus().made().orElse(""))
                : "volume %s: %s".formatted(volume.getStatus().made().orElse(""), now.message());
        // The same change has the same name, whoever tells it.
        String change = "%s %s %s"
                .formatted(
                        volume.getMetadata().getUid(),
                        before.map(HealthCondition::lastTransitionTime).orElse(""),
                        now.status() + now.reason() + now.message());
        String name = bounded(claim.getName(), LONGEST_NAME) + "." + Digest.of(change);
        var event = new EventBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(claim.getNamespace())
                .endMetadata()
                .withInvolvedObject(claim)
                .withType(healthy ? "Normal" : "Warning")
                .withReason(healthy ? "VolumeHealthy" : now.reason())
                .withMessage(bounded(message, LONGEST_MESSAGE))
                .withNewSource()
                .withComponent(driverName)
                .endSource()
                .withReportingComponent(driverName)
                .withReportingInstance(driverName)
                .withFirstTimestamp(now.lastTransitionTime())
                .withLastTimestamp(now.lastTransitionTime())
                .withCount(1)
                .build();
        var _ = Api.attempt(
                "event " + name,
                () -> client.v1()
                        .events()
                        .inNamespace(claim.getNamespace())
                        .resource(event)
                        .create());
    }

    private static String bounded(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length);
    }

    /** A provisioned volume has the name of its PersistentVolume; any other is looked for. */
    private Optional<ObjectReference> claim(LocalVolume volume) {
        String id = volume.getStatus().made().orElse("");
        return Api.<PersistentVolume>attempt(
                        "persistent volume of " + id,
                        () -> volume.getSpec().name().matches("[a-z0-9.-]{1,253}")
                                ? client.persistentVolumes()
                                        .withName(volume.getSpec().name())
                                        .get()
                                : null)
                .filter(found -> isOf(found, id))
                .or(() -> Api.call(
                        "persistent volume of " + id,
                        () -> client.persistentVolumes().list().getItems().stream()
                                .filter(found -> isOf(found, id))
                                .findFirst()))
                .map(found -> found.getSpec().getClaimRef())
                .map(reference -> {
                    var claim = new ObjectReference();
                    claim.setApiVersion("v1");
                    claim.setKind("PersistentVolumeClaim");
                    claim.setNamespace(reference.getNamespace());
                    claim.setName(reference.getName());
                    claim.setUid(reference.getUid());
                    return claim;
                });
    }

    private boolean isOf(PersistentVolume found, String volume) {
        var csi = found.getSpec().getCsi();
        return csi != null
                && csi.getDriver().equals(driverName)
                && csi.getVolumeHandle().equals(volume);
    }
}
