package dev.stowage.conformance.vsc;

import dev.stowage.conformance.cluster.ControlPlane;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscExternalVolume;
import dev.stowage.kube.vsc.VscNode;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscStorageClass;
import dev.stowage.kube.vsc.VscVolume;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** A real API server to which one resource of each kind is applied, as a user of the original wrote them, and nothing that acts on them. */
final class UserResources implements AutoCloseable {

    private static final List<Class<? extends HasMetadata>> KINDS = List.of(
            VscStorageClass.class,
            Vpsa.class,
            VscNode.class,
            VscVolume.class,
            VscExternalVolume.class,
            VscVolumeAttachment.class,
            VscSnapshot.class);

    private final Workspace workspace = Workspace.create();
    private final ControlPlane plane = ControlPlane.start(workspace.directory("plane"));

    KubernetesClient client() {
        return plane.client();
    }

    void apply() {
        apply(Objects.requireNonNull(UserResources.class.getResourceAsStream("/vsc/user.yaml")));
    }

    /** Refuses what kubectl would refuse. */
    void apply(InputStream manifests) {
        client().load(manifests)
                .items()
                .forEach(written -> client().resource(written)
                        .fieldValidation(Validation.STRICT)
                        .create());
    }

    void clear() {
        edit(VscVolume.class, "pvc-1111", volume -> {
            volume.getMetadata().setFinalizers(List.of());
            return volume;
        });
        KINDS.forEach(kind -> client().resources(kind).delete());
    }

    <T extends HasMetadata> T get(Class<T> kind, String name) {
        return client().resources(kind).withName(name).get();
    }

    <T extends HasMetadata> void edit(Class<T> kind, String name, UnaryOperator<T> change) {
        client().resources(kind).withName(name).edit(change);
    }

    <S, T extends CustomResource<?, S>> void status(Class<T> kind, String name, S status) {
        var object = get(kind, name);
        object.setStatus(status);
        client().resource(object).updateStatus();
    }

    @Override
    public void close() {
        plane.close();
        workspace.close();
    }
}
